#!/usr/bin/env bash
# completion_test.sh <sonoma.bash> <sonoma>: what bash completes.
set -euo pipefail
source "$1"
sonoma=$2
failed=0

completed() {  # completed <word>...: of the last word, after the others
  COMP_WORDS=("$sonoma" "$@")
  COMP_CWORD=$#
  _sonoma
  echo "${COMPREPLY[*]}"
}

expect() {  # expect <words that must be there> <words that must not> <word>...
  local with=$1 without=$2 got word
  shift 2
  got=" $(completed "$@") "
  for word in $with; do
    [[ $got == *" $word "* ]] || { echo "sonoma $*: no $word in:$got"; failed=1; }
  done
  for word in $without; do
    [[ $got != *" $word "* ]] || { echo "sonoma $*: $word should not be in:$got"; failed=1; }
  done
}

expect "emit explain verify cache next-fast-size" "--help Exit" ""
expect "emit explain" "verify" e
expect "--help --version" "--domain emit" -
expect "--domain --n --arch" "--version emit" emit --
expect "--domain" "--n" emit --n 16 --dom
expect "ls verify prune" "emit" cache ""
expect "" "ls emit verify" emit ""
expect "" "emit ls" emit --output ""
expect "" "emit" nonsense --

values=$(_sonoma_values --domain <<<'  -d,--domain ENUM:value in {c2c->0,r2c->1} OR {0,1} which side is real')
[[ $values == $'c2c\nr2c' ]] || { echo "values: $values"; failed=1; }
exit $failed
