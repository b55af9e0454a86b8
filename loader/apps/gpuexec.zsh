#compdef gpuexec llvm-gpu-loader amdhsa-loader nvptx-loader
# Completion of gpuexec in zsh. Commands, options, with what they do, and what their values may be come from gpuexec itself, so that
# they are always those of the version that is installed. Behind the image words are the program's: file names.

# Offers lines NAME<tab>TEXT. A name that ends with "=" takes a value: no space follows it.
_gpuexec_offer() {
  local line name text
  local -a plain valued
  for line in "${(@f)1}"; do
    [[ -n $line ]] || continue
    name=${line%%$'\t'*} text=${line#*$'\t'}
    if [[ $name == *= ]]; then
      valued+=("${name//:/\\:}:$text")
    else
      plain+=("${name//:/\\:}:$text")
    fi
  done
  _describe -t options option plain -- valued -S ""
}

# Offers what gpuexec knows of an option's value, or of the words behind the options.
_gpuexec_values() {
  local line words=
  for line in "${(@f)$($program $command --complete-value=$1 2>/dev/null)}"; do
    case $line in
      :files) _files ;;
      :folders) _files -/ ;;
      :programs) _command_names -e ;;
      *) words+=$line$'\n' ;;
    esac
  done
  _gpuexec_offer $words
}

_gpuexec() {
  local program=$words[1] command= commands= word option= known
  integer i=2
  commands="$($program --complete= 2>/dev/null)"
  if (( CURRENT > 2 )) && [[ $'\n'$commands == *$'\n'$words[2]$'\t'* ]]; then
    command=$words[2] i=3
  fi
  known=$'\n'"$($program $command --complete=-- 2>/dev/null | cut -f1)"$'\n'
  # The first word that is neither an option nor an option's value is the image, or the program.
  for (( ; i < CURRENT; i++ )); do
    word=$words[i]
    if [[ -n $option ]]; then
      option=
    elif [[ $word == -?* && $word != -- ]]; then
      word=--${${word#-}#-}
      [[ $known == *$'\n'"$word="$'\n'* ]] && option=$word
    elif [[ $word != -- ]]; then
      _files
      return
    fi
  done
  if [[ -z $option && $PREFIX == -* ]]; then
    _gpuexec_offer "$($program $command --complete=-- 2>/dev/null)"
  else
    [[ -z $option ]] && (( CURRENT == 2 )) && _gpuexec_offer $commands
    _gpuexec_values $option
  fi
}
_gpuexec "$@"
