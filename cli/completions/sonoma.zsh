#compdef sonoma
# Completion of the sonoma command in zsh. The command knows the words, and what they are.
local line
local -a found
for line in ${(f)"$("${(Q)words[1]}" __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)"}; do
  found+=("${${${line%%$'\t'*}//:/\\:}}${${line#*$'\t'}:+:${line#*$'\t'}}")
done
if (($#found)); then _describe sonoma found; else _files; fi
