# Completion of gpucc in fish: its own options, as its --help names them, clang's, as clang itself completes them, and files.
function __gpucc_options
    set -l word (commandline -ct)
    if string match -qr -- '^(--arch|-mcpu|-march)=' $word
        set -l name (string replace -r '=.*' '=' -- $word)
        printf '%s\n' $name(string split ' ' 'native gfx942 gfx90a gfx9-4-generic gfx1010 gfx1030 gfx1100 gfx1201 gfx10-1-generic gfx10-3-generic gfx11-generic gfx12-generic sm_70 sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120')
        return
    end
    gpucc --help 2>/dev/null | string match -rg '^  (-[a-z-]+=?)\S*\s*(.*)$' | while read -l option
        read -l text
        printf '%s\t%s\n' $option $text
    end
    clang-22 --autocomplete=$word 2>/dev/null
end

for name in gpucc gpuc++ gpu-nvcc
    complete -c $name -n 'string match -q -- "-*" (commandline -ct)' -a '(__gpucc_options)'
end
