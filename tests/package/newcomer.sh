#!/usr/bin/env bash
# newcomer.sh <prefix> shared|static [cmake arguments]: the program of the README is built against the installed package, by
# the project in docs/install.md and by pkg-config, and run on the emulated device.
set -euo pipefail
prefix=$1 kind=$2
shift 2
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CUDA_VISIBLE_DEVICES=  # where there is a GPU, it is not asked
export SONOMA_CACHE_DIR=$work/cache

die() { printf '\nError: %s\n' "$*" >&2; exit 1; }

first_block() {  # first_block <file> <language> <text>: the first block of code that has the text
  awk -v fence="\`\`\`$2" -v text="$3" '
    $0 == fence { inside = 1; block = ""; next }
    inside && /^```/ { inside = 0; if (index(block, text)) { printf "%s", block; found = 1; exit } next }
    inside { block = block $0 "\n" }
    END { exit !found }' "$1" || die "$1 has no block of $2 with '$3'"
}

try() {  # try <how> <program>: its output, and which library it took
  local said dynamic
  said=$("$2" 2>"$work/log") || { cat "$work/log" >&2; die "$1, $kind: it ended with an error"; }
  [[ $said == "1024, relative error at most "* ]] || die "$1, $kind: it says '$said'"
  dynamic=$(readelf -dW "$2")
  case $kind in
    shared) [[ $dynamic == *"[libsonoma.so.0]"* ]] || die "$1: it is not linked to libsonoma.so.0" ;;
    static) [[ $dynamic != *libsonoma* ]] || die "$1: it is linked to the shared library" ;;
  esac
  echo "$1, $kind: $said"
}

case $kind in
  shared) find='find_package(sonoma 0.1 REQUIRED)' ;;
  static) find='find_package(sonoma 0.1 REQUIRED COMPONENTS static)' ;;
  *) die "shared or static, not '$kind'" ;;
esac
first_block "$source/README.md" cpp 'int main' >"$work/program.cpp"
first_block "$source/docs/install.md" cmake 'find_package(sonoma 0.1 REQUIRED)' |
  sed "s/find_package(sonoma 0.1 REQUIRED)/$find/" >"$work/CMakeLists.txt"

cmake -S "$work" -B "$work/build" -D CMAKE_PREFIX_PATH="$prefix" "$@" >"$work/log" ||
  { cat "$work/log"; die "CMake, $kind: not configured"; }
cmake --build "$work/build" >"$work/log" || { cat "$work/log"; die "CMake, $kind: not built"; }
try CMake "$work/build/program"

command -v pkg-config >/dev/null || die "CMake was fine, but there is no pkg-config here: that half was not tried"
pc=$(find "$prefix"/lib* -name sonoma.pc | head -1)
export PKG_CONFIG_PATH=${pc%/*}${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
[[ $prefix == /usr ]] || export LD_LIBRARY_PATH=${PKG_CONFIG_PATH%%/pkgconfig*}
for argument; do  # what CMake is told by a path, the linker finds in that folder
  [[ $argument != -DSONOMA_BOOST_CONTEXT_LIBRARY=* ]] || LIBRARY_PATH=$(dirname "${argument#*=}")
done
export LIBRARY_PATH=${LIBRARY_PATH:-}
options=$(pkg-config --cflags --libs sonoma)
[[ $kind == shared ]] || options=$(pkg-config --cflags --libs --static sonoma | sed s/-lsonoma/-l:libsonoma.a/)
# shellcheck disable=SC2086
"${CXX:-g++}" -std=c++20 "$work/program.cpp" $options -o "$work/program"
try pkg-config "$work/program"
