# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion of gpucc-port in fish: commands and options as its own --help names them, libraries as it lists them.
function __gpucc_port_command
    set -l words (commandline -opc)
    test (count $words) -gt 1; and echo $words[2]
end

complete -c gpucc-port -f
complete -c gpucc-port -n 'test -z (__gpucc_port_command)' -a "(gpucc-port --help 2>/dev/null | sed -n '/^Commands:/,/^\$/s/^  \([a-z-]*\)\( [A-Z.]*\)\{0,1\}  *\(.*\)/\1\t\3/p')"
complete -c gpucc-port -n 'contains -- (__gpucc_port_command) install info' -a "(gpucc-port list 2>/dev/null | sed 's/ *[^ ]*  \(.*\)/\t\1/')"
complete -c gpucc-port -n 'test (__gpucc_port_command) = remove' -a "(gpucc-port list --installed 2>/dev/null | sed 's/ *[^ ]*  \(.*\)/\t\1/')"
complete -c gpucc-port -n 'string match -q -- "-*" (commandline -ct)' -a "(gpucc-port --help 2>/dev/null | sed -n 's/^  \(-., \)\{0,1\}\(--[a-z]*\)\( [A-Z]*\)\{0,1\}  *\(.*\)/\2\t\4/p')"
