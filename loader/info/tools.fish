# Completion in fish of gpuexec's smaller tools: the options that the tool's --help names, with what they do, and files.
function __gpuexec_tool_options
    $argv[1] --help 2>/dev/null | string match -rg '^  (--[a-z-]+=?)\S*\s*(.*)$' | while read -l option
        read -l text
        printf '%s\t%s\n' $option $text
    end
end

for name in gpuexec-info gpu-replay gpuexec-test-bundle
    complete -c $name -n 'string match -q -- "-*" (commandline -ct)' -a "(__gpuexec_tool_options $name)"
end
