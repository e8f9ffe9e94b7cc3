# Completion of the sonoma command in fish. The command knows the words, and what they are.
function __sonoma_complete
    set -l before (commandline --tokenize --cut-at-cursor --current-process)
    set -l current (commandline --cut-at-cursor --current-token)
    set -l found ($before[1] __complete $before[2..-1] "$current" 2>/dev/null)
    if set -q found[1]
        printf '%s\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete --command sonoma --no-files --arguments '(__sonoma_complete)'
