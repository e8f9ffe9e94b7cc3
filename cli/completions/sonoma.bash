# Completion of the sonoma command in bash. It asks the command for its help, so it knows what that
# knows.

_sonoma_commands() {  # of the help on standard input
  sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z0-9-]*\).*/\1/p'
}

_sonoma_options() {
  sed -n 's/^  \(-[A-Za-z],\)\{0,1\}\(--[a-z0-9-]*\).*/\2/p'
}

_sonoma_values() {  # _sonoma_values <option>: the words between braces that its help has, if any
  sed -n "s/^  \(-[A-Za-z],\)\{0,1\}$1 [^{]*{\([^}]*\)}.*/\2/p" | sed 's/->[^,]*//g' | tr , '\n'
}

_sonoma() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} help i
  local command=("${COMP_WORDS[0]}")
  COMPREPLY=()
  help=$("${command[@]}" --help 2>/dev/null) || return 0
  for ((i = 1; i < COMP_CWORD; i++)); do
    _sonoma_commands <<<"$help" | grep -qxF -e "${COMP_WORDS[i]}" || continue
    command+=("${COMP_WORDS[i]}")
    help=$("${command[@]}" --help 2>/dev/null) || return 0
  done
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_sonoma_options <<<"$help")" -- "$word")
  elif [[ $before == --* ]]; then  # where there are none, files
    mapfile -t COMPREPLY < <(compgen -W "$(_sonoma_values "$before" <<<"$help")" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -W "$(_sonoma_commands <<<"$help")" -- "$word")
  fi
}

complete -o default -F _sonoma sonoma
