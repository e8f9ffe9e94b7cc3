#!/usr/bin/env bash
# chroot.sh bookworm | noble            the Debian packages, made in a fresh Debian 12 or Ubuntu 24.04, installed by apt
#                                       in another fresh one; there a newcomer's program is built against them, and run
# chroot.sh here [cmake arguments]      the same program in the system that runs, against build-here/prefix
#
# The first form needs root, debootstrap, the network, and 2 GB in $SONOMA_ROOTS (default /var/tmp/sonoma-roots). The base
# systems stay there for the next time. MIRROR is another mirror of the distribution. ccache serves both sides of the wall.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
roots=${SONOMA_ROOTS:-/var/tmp/sonoma-roots}

say() { printf '\n==> %s\n' "$*"; }
die() { printf '\nError: %s\n' "$*" >&2; exit 1; }

# What builds the packages, and what a newcomer has before he installs them.
readonly to_build=(ccache cmake dpkg-dev file g++ help2man libboost-context-dev libcli11-dev libmpfr-dev libspdlog-dev nettle-dev
  ninja-build nlohmann-json3-dev zlib1g-dev)
readonly to_use=(cmake g++ make pkg-config)

# Ubuntu's archive key of 2018 is not in Debian: its package is fetched, and the key taken by its fingerprint.
readonly ubuntu_key=F6ECB3762474EDA9D21B7022871920D1991BC93C
ubuntu_keyring() {  # prints the path of a keyring with that key alone
  local keyring=$roots/ubuntu.gpg work
  if [[ ! -e $keyring ]]; then
    work=$(mktemp -d)
    curl -fsS -o "$work/keyring.deb" "$1/pool/main/u/ubuntu-keyring/ubuntu-keyring_2023.11.28.1_all.deb"
    dpkg-deb -x "$work/keyring.deb" "$work"
    chmod 700 "$work"
    GNUPGHOME=$work gpg -q --import "$work/usr/share/keyrings/ubuntu-archive-keyring.gpg" 2>/dev/null
    GNUPGHOME=$work gpg -q --export "$ubuntu_key" >"$work/one"
    [[ -s $work/one ]] || die "Ubuntu's keyring has no key $ubuntu_key"
    mv "$work/one" "$keyring"
    rm -r "$work"
  fi
  echo "$keyring"
}

make_base() {  # make_base <release>: a minimal system in $roots/<release>
  local release=$1 mirror options=(--variant=minbase)
  [[ -d $roots/$release ]] && return
  mkdir -p "$roots"
  case $release in
    bookworm) mirror=${MIRROR:-http://deb.debian.org/debian} ;;
    noble)
      mirror=${MIRROR:-http://archive.ubuntu.com/ubuntu}
      options+=("--components=main,universe" "--keyring=$(ubuntu_keyring "$mirror")")
      ;;
  esac
  say "A fresh $release from $mirror"
  rm -rf "$roots/$release.new"
  # An older debootstrap does not know the name; all of Ubuntu is made by the script of one release.
  local script=()
  [[ -e /usr/share/debootstrap/scripts/$release ]] || script=(gutsy)
  debootstrap "${options[@]}" "$release" "$roots/$release.new" "$mirror" "${script[@]}"
  mv "$roots/$release.new" "$roots/$release"
}

fresh() {  # fresh <release> <name>: a copy of the base to work in; prints its path
  rm -rf "${roots:?}/$1-$2"
  cp -a "$roots/$1" "$roots/$1-$2"
  cp /etc/resolv.conf "$roots/$1-$2/etc/resolv.conf"
  if [[ -e $HOME/.config/ccache ]]; then  # its limits and base folder are a part of what both sides share
    mkdir -p "$roots/$1-$2/root/.config"
    cp -r "$HOME/.config/ccache" "$roots/$1-$2/root/.config"
  fi
  echo "$roots/$1-$2"
}

# within <root> <command>...: with /proc, terminals and the compiler cache; mounts end with the command.
within() {
  local root=$1 cache=${CCACHE_DIR:-$HOME/.cache/ccache}
  shift
  mkdir -p "$root/ccache" "$cache"
  unshare --mount bash -euc '
    root=$1 cache=$2
    shift 2
    mount -t proc proc "$root/proc"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
    mount --bind "$root/dev/pts/ptmx" "$root/dev/ptmx"
    mount --bind "$cache" "$root/ccache"
    exec chroot "$root" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
      CCACHE_DIR=/ccache http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" "$@"' within "$root" "$cache" "$@"
}

apt_within() {  # apt_within <root> <package>...: these, what they depend on, nothing else
  local root=$1
  shift
  within "$root" apt-get -qq update
  within "$root" apt-get -qq install --no-install-recommends "$@" >"$root/apt.log" 2>&1 ||
    { tail -20 "$root/apt.log" >&2; die "apt did not install $*"; }
}

copy_sources() {  # copy_sources <folder>: the working tree, without what git ignores
  mkdir -p "$1"
  git ls-files -z --cached --others --exclude-standard | tar --null -T - -c | tar -x -C "$1"
}

# NVIDIA's, of this system: those of a distribution are too old, or none. As cmake/CudaPieces.cmake looks for them.
copy_cuda_headers() {  # copy_cuda_headers <root>
  local root found=
  for root in ${SONOMA_CUDA_PATH:-} ${CUDA_HOME:-} ${CUDA_PATH:-} /usr/local/cuda build/cuda/nvidia/cu13; do
    if [[ -e $root/include/cufftXt.h ]]; then found=$root/include && break; fi
  done
  [[ -n $found ]] || die "chroot.sh needs NVIDIA's headers: ./dev setup gets them"
  mkdir -p "$1/usr/local/cuda/include"
  cp -rL "$found"/*.h "$found"/*.hpp "$found/crt" "$1/usr/local/cuda/include"
}

make_packages() {  # make_packages <release>: they lie in $roots/<release>-packages
  local root packages=$roots/$1-packages
  root=$(fresh "$1" builder)
  say "Building the packages in $1"
  apt_within "$root" "${to_build[@]}"
  copy_cuda_headers "$root"
  copy_sources "$root$PWD"  # of the same path, for ccache
  within "$root" bash -euc 'cd "$1"; cmake --preset debian >/dev/null; ninja -C build-debian; cd build-debian; cpack' \
    build "$PWD"
  rm -rf "$packages"
  mkdir -p "$packages"
  cp "$root$PWD"/build-debian/*.deb "$packages"
  rm -rf "$root"
}

use_packages() {  # use_packages <release>
  local root recommended
  root=$(fresh "$1" user)
  say "Installing the packages in a fresh $1"
  mkdir "$root/packages"
  cp "$roots/$1-packages"/*.deb "$root/packages"
  copy_sources "$root/sonoma"
  apt_within "$root" "${to_use[@]}"
  within "$root" bash -c 'apt-get -qq install --no-install-recommends /packages/*.deb' >/dev/null
  within "$root" /sonoma/tests/package/newcomer.sh /usr shared
  say "What they recommend, for the static library and for verify"
  # shellcheck disable=SC2016
  recommended=$(within "$root" dpkg-query -W -f '${Recommends}, ' libsonoma-dev sonoma | tr -d , )
  # shellcheck disable=SC2086
  apt_within "$root" $recommended
  within "$root" /sonoma/tests/package/newcomer.sh /usr static
  within "$root" sonoma verify --n 64 --device cpu
  say "Completion, from where the packages have put it"
  apt_within "$root" bash-completion fish zsh
  for shell in bash fish zsh; do within "$root" timeout 120 /sonoma/tests/cli/completion_test.sh installed sonoma $shell; done
  rm -rf "$root"
}

in_chroots() {  # in_chroots <release>
  [[ $(id -u) == 0 ]] || die "chroot.sh $1 needs root; 'chroot.sh here' does not"
  command -v debootstrap >/dev/null || die "chroot.sh needs debootstrap (apt-get install debootstrap)"
  make_base "$1"
  make_packages "$1"
  use_packages "$1"
}

here() {  # here [cmake arguments]: both for Sonoma and for the program
  local build=$PWD/build-here generator=()
  ! command -v ninja >/dev/null || generator=(-G Ninja)
  say "Building and installing into build-here/prefix"
  cmake -S . -B "$build" "${generator[@]}" -D CMAKE_BUILD_TYPE=Release -D BUILD_SHARED_LIBS=ON \
    -D SONOMA_BOTH_LIBRARIES=ON -D SONOMA_BUILD_TESTS=OFF -D SONOMA_BUILD_EXAMPLES=OFF "$@"
  cmake --build "$build" --parallel "$(nproc)"
  rm -rf "$build/prefix"
  cmake --install "$build" --prefix "$build/prefix" >/dev/null
  tests/package/newcomer.sh "$build/prefix" shared "$@"
  tests/package/newcomer.sh "$build/prefix" static "$@"
}

system=${1:-}
case $system in
  bookworm | noble) (($# == 1)) || die "$1 takes no arguments"; in_chroots "$1" ;;
  here) shift; here "$@" ;;
  *) die "what system? chroot.sh bookworm | noble | here [cmake arguments]" ;;
esac
say "A newcomer's program builds and runs, by CMake and by pkg-config, shared and static: $system"
