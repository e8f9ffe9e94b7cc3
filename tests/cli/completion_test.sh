#!/usr/bin/env bash
# completion_test.sh <completions> <sonoma> bash|zsh|fish: what the shell completes, and that the command takes it. 77 where
# the shell is not installed. <completions> "installed": from where the package has put them.
set -euo pipefail
files=$1 sonoma=$2 shell=$3
command -v "$shell" >/dev/null || { echo "$shell is not installed: its completion is not tested"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$(command -v "$sonoma")" "$work/bin/sonoma"
export PATH=$work/bin:$PATH HOME=$work
cd "$work"
touch afile.npy
failed=0

bash_completes() {  # of the last word, after the others
  if ! declare -F _sonoma >/dev/null; then
    if [[ $files == installed ]]; then
      set +eu
      source /usr/share/bash-completion/bash_completion
      _completion_loader sonoma
      set -eu
    else
      source "$files/sonoma.bash"
    fi
  fi
  COMP_WORDS=(sonoma "$@") COMP_CWORD=$#
  _sonoma
  if ((${#COMPREPLY[@]} == 0)); then mapfile -t COMPREPLY < <(compgen -f -- "${!#}"); fi  # as -o default does
  printf '%s\n' "${COMPREPLY[@]}"
}

# In a terminal, where it lists what it would put there. ^X and ^T, for ^D and ^U the terminal itself takes where they come before
# zsh reads keys.
zsh_completes() {
  zsh -f -c '
    files=$1; shift
    zmodload zsh/zpty
    zpty z zsh -f -i
    zpty -w z "PS1=; unsetopt zle_bracketed_paste beep; setopt auto_list; LISTMAX=1000; COLUMNS=200; LINES=200"
    if [[ $files != installed ]]; then cp $files/sonoma.zsh _sonoma; zpty -w z "fpath=($PWD \$fpath)"; fi
    zpty -w z "autoload -U compinit; compinit -D -u"
    zpty -w z "zstyle \":completion:*\" list-separator \"=\"; bindkey \"^X\" delete-char-or-list \"^T\" kill-whole-line; print ready"
    while zpty -r z line; do [[ $line == *ready*$'"'\\n'"' && $line != *print* ]] && break; done
    zpty -w -n z "sonoma ${(j: :)@}"$'"'\\x18\\x14'"'"print done"$'"'\\n'"'
    while zpty -r z line; do print -r -- $line; [[ $line == *done* && $line != *print* ]] && break; done
    zpty -d z' zsh "$files" "$@" | tr '\r' '\n' | sed 's/\x1b\[[0-9;?]*[a-zA-Z]/\n/g' | sed '/^s*sonoma /d'
}

fish_completes() {
  local line
  printf -v line '%q ' "${@:1:$#-1}"
  [[ ${!#} == '' ]] || line+=${!#}
  (($# > 1)) || line=${1:-}
  local source=("--no-config" "--init-command=source $files/sonoma.fish")
  [[ $files != installed ]] || source=()
  fish "${source[@]}" -c "complete --do-complete 'sonoma $line'"
}

expect() {  # expect <words that must be there> <words that must not> <word>...
  local with=$1 without=$2 got word
  shift 2
  got=$("${shell}_completes" "$@")
  for word in $with; do
    grep -qE -e "(^|[[:space:]])$word([[:space:]]|\$)" <<<"$got" || { echo "sonoma $*: no $word in: $got"; failed=1; }
  done
  for word in $without; do
    ! grep -qE -e "(^|[[:space:]])$word([[:space:]]|\$)" <<<"$got" || { echo "sonoma $*: $word should not be in: $got"; failed=1; }
  done
}

expect "emit explain verify cache next-fast-size" "--help __complete" ""
expect "emit explain" "verify" e
expect "--domain --n --arch" "--version" emit --
expect "ls verify prune" "emit" cache ""
expect "kernel launcher header standalone" "emit" emit --form ""
expect "sm_90 sm_75" "f32" emit 16 --arch s
expect "sm_80,sm_90 sm_80,sm_75" "sm_80,sm_80 sm_90" aot 16 --arch sm_80,s
expect "afile.npy" "emit" run --input ""
[[ $shell != bash ]] || {
  expect "--help --version" "--domain emit" -
  expect "--domain" "--n" emit --n 16 --dom
  expect "" "ls emit verify" emit ""
  expect "" "emit" nonsense --
  expect "--diff --json" "" compare 16 -- --radix 2 --
  expect "--spec --json" "" compile --
  expect "" "true false" emit --inverse ""
  # What is offered is taken.
  for option in accuracy arch convolution domain engine method precision; do
    number=16
    [[ $option != method ]] || number=17  # rader's are primes
    while read -r value; do
      "$sonoma" emit $number --$option "$value" >/dev/null || { echo "--$option $value is offered, and refused"; failed=1; }
    done < <(bash_completes emit --$option "")
  done
}
exit $failed
