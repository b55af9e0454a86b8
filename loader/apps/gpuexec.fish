# Completion of gpuexec in fish. Commands and options, with what they do, come from gpuexec itself, so that they are always those of
# the version that is installed. Behind the image words are the program's: file names.

# The command that is named, or nothing, which means `run`.
function __gpuexec_command
    set -l words (commandline -opc)
    contains -- "$words[2]" ($words[1] --complete= 2>/dev/null | string replace -r '\t.*' ''); and echo $words[2]
end

function __gpuexec_options
    set -l words (commandline -opc)
    $words[1] (__gpuexec_command) --complete=-- 2>/dev/null
end

# True while the word at the cursor may be an option: no image and no other argument stands before it.
function __gpuexec_before_image
    set -l words (commandline -opc)
    set -l known (__gpuexec_options | string replace -r '\t.*' '')
    set -l first (count x (__gpuexec_command) x) # behind gpuexec's name and the command's
    set -l value no
    for word in $words[$first..-1]
        if test $value = yes
            set value no
        else if test "$word" = --
            return 1
        else if string match -q -- '-*' $word
            # --name VALUE: the next word is the option's value.
            contains -- (string replace -r '^-?-' -- -- $word)= $known; and set value yes
        else
            return 1
        end
    end
    return 0
end

for name in gpuexec llvm-gpu-loader amdhsa-loader nvptx-loader
    complete -c $name -n 'test (count (commandline -opc)) -eq 1' -a "($name --complete= 2>/dev/null)"
    complete -c $name -n 'string match -q -- "-*" (commandline -ct); and __gpuexec_before_image' -a '(__gpuexec_options)'
end
complete -c gpuexec -f -n 'string match -q help (__gpuexec_command)' -a '(gpuexec --complete= 2>/dev/null)'
