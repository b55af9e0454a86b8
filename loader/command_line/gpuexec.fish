# Completion of gpuexec in fish. Options and commands, with what they do, come from gpuexec itself, so that they are always those of
# the version that is installed. Behind the image words are the program's: file names.

# The lines of `gpuexec COMMAND --help` that begin with an option, as fish wants them: NAME<tab>TEXT.
function __gpuexec_help_options
    $argv[1] $argv[2] --help 2>/dev/null | string match -rg '^  (--[a-z-]+=?)\S*(?:, -.)?\s*(.*)$' | while read -l option
        read -l text
        printf '%s\t%s\n' $option $text
    end
end

# True while the word at the cursor may be an option: no image and no other argument stands before it.
function __gpuexec_before_image
    set -l words (commandline -opc)
    set -l known (string replace -r '\t.*' '' -- ($words[1] --complete=-- 2>/dev/null))
    set -l value no
    for word in $words[2..-1]
        if test $value = yes
            set value no
        else if test "$word" = --
            return 1
        else if string match -q -- '-*' $word
            # --name VALUE: the next word is the option's value.
            contains -- (string replace -r '^-?-' -- -- $word)= $known; and set value yes
        else if not contains -- $word run replay compare
            return 1
        end
    end
    return 0
end

function __gpuexec_command
    set -l words (commandline -opc)
    test (count $words) -gt 1; and echo $words[2]
end

function __gpuexec_is
    contains -- (__gpuexec_command) $argv
end

for name in gpuexec llvm-gpu-loader amdhsa-loader nvptx-loader
    complete -c $name -n 'test (count (commandline -opc)) -eq 1' -a "($name --complete= 2>/dev/null)"
    complete -c $name -n 'not __gpuexec_is serve blas doctor cache help; and __gpuexec_before_image; and string match -q -- "-*" (commandline -ct)' -a "($name --complete=-- 2>/dev/null)"
end
complete -c gpuexec -n '__gpuexec_is serve blas doctor cache; and string match -q -- "-*" (commandline -ct)' -a '(__gpuexec_help_options gpuexec (__gpuexec_command))'
complete -c gpuexec -f -n '__gpuexec_is help' -a '(gpuexec --complete= 2>/dev/null)'
