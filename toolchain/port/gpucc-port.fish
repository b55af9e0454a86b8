# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion of gpucc-port in fish: commands and options as its own --help names them, libraries as it lists them.
function __gpucc_port_command
    set -l words (commandline -opc)
    test (count $words) -gt 1; and echo $words[2]
end

# Lines of --help, edited.
function __gpucc_port_help
    gpucc-port --help 2>/dev/null | sed -n $argv[1]
end

# Lines NAME<tab>WHAT IT IS FOR.
function __gpucc_port_libraries
    gpucc-port list $argv 2>/dev/null | awk '{ name = $1; $1 = $2 = ""; sub(/^ */, ""); print name "\t" $0 }'
end

complete -c gpucc-port -f
complete -c gpucc-port -n 'test -z (__gpucc_port_command)' -a '(__gpucc_port_help "/^Commands:/,/^\$/s/^  \([a-z-]*\)\( [A-Z.]*\)\{0,1\}  *\(.*\)/\1\t\3/p")'
complete -c gpucc-port -n 'contains -- (__gpucc_port_command) install info' -a '(__gpucc_port_libraries)'
complete -c gpucc-port -n 'test (__gpucc_port_command) = remove' -a '(__gpucc_port_libraries --installed)'
complete -c gpucc-port -n 'string match -q -- "-*" (commandline -ct)' -a '(__gpucc_port_help "s/^  \(-., \)\{0,1\}\(--[a-z]*\)\( [A-Z]*\)\{0,1\}  *\(.*\)/\2\t\4/p")'
