# Completion of the sonoma command in bash. The command knows the words.
_sonoma() {
  mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)
}
complete -o default -F _sonoma sonoma  # where there are none, files
