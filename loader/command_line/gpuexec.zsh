#compdef gpuexec llvm-gpu-loader amdhsa-loader nvptx-loader
# Completion of gpuexec in zsh. Options and commands, with what they do, come from gpuexec itself, so that they are always those of
# the version that is installed. Behind the image words are the program's: file names.

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

_gpuexec() {
  local program=$words[1] word option= known
  integer i=2
  if (( CURRENT > 2 )); then
    case $words[2] in
      serve | blas | doctor | cache)
        if [[ $PREFIX == -* ]]; then
          _gpuexec_offer "$($program $words[2] --help 2>/dev/null | sed -n 's/^  \(--[a-z-]*=\{0,1\}\)[^ ]*\(, -.\)\{0,1\} */\1\t/p')"
        else
          _files
        fi
        return ;;
      help) _gpuexec_offer "$($program --complete= 2>/dev/null)"; return ;;
      run | replay | compare) i=3 ;;
    esac
  fi
  known=$'\n'"$($program --complete=-- 2>/dev/null | cut -f1)"$'\n'
  # The first word that is neither an option nor an option's value is the image.
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
    _gpuexec_offer "$($program --complete=-- 2>/dev/null)"
  else
    [[ -z $option ]] && (( CURRENT == 2 )) && _gpuexec_offer "$($program --complete= 2>/dev/null)"
    _files
  fi
}
_gpuexec "$@"
