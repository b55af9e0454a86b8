# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion for gpuexec. Commands, options and what their values may be come from gpuexec itself (--complete, --complete-value), so
# that they are always those of the version that is installed. After the image words are the program's: file names.

# Offers what gpuexec knows of an option's value, or of the words behind the options.
_gpuexec_offer() {
  local offered plain=
  for offered in $("$program" $command --complete-value="$1" 2>/dev/null | cut -f1); do
    case $offered in
      :files) compopt -o filenames; COMPREPLY+=($(compgen -f -- "$current")) ;;
      :folders) compopt -o filenames; COMPREPLY+=($(compgen -d -- "$current")) ;;
      :programs) compopt -o filenames; COMPREPLY+=($(compgen -c -- "$current")) ;;
      *) plain+=" $offered"; [[ $offered == *// ]] && compopt -o nospace ;;
    esac
  done
  COMPREPLY+=($(compgen -W "$plain" -- "$current"))
}
_gpuexec() {
  local current=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]} command= option= last= i=1 word options
  COMPREPLY=()
  if [[ COMP_CWORD -gt 1 ]] && "$program" --complete= 2>/dev/null | cut -f1 | grep -qxF -e "${COMP_WORDS[1]}"; then
    command=${COMP_WORDS[1]} i=2
  fi
  options=$'\n'$("$program" $command --complete=-- 2>/dev/null | cut -f1)$'\n'
  # Walk over what stands before the cursor. bash makes three words of --name=value. `option` becomes the option whose
  # value is being typed; the first word that is neither option nor value is the image, or the program.
  for ((; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == -?* && $word != -- ]]; then
      word=${word#-} word=${word#-} last=--$word option=
      [[ $options == *$'\n'"$last="$'\n'* ]] && option=$last
    elif [[ $word == = ]]; then
      option=$last
    elif [[ $word == -- ]]; then
      continue
    elif [[ -n $option ]]; then
      option= # that was its value
    else
      compopt -o filenames
      COMPREPLY=($(compgen -f -- "$current"))
      return
    fi
  done
  [[ $current == = ]] && current= option=$last
  if [[ -n $option ]]; then
    _gpuexec_offer "$option"
    return
  fi
  [[ $current == -* ]] || _gpuexec_offer
  [[ COMP_CWORD -eq 1 ]] && COMPREPLY+=($(compgen -W "$("$program" --complete= 2>/dev/null | cut -f1)" -- "$current"))
  if [[ ${#COMPREPLY[@]} -eq 0 ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  fi
}
complete -F _gpuexec gpuexec llvm-gpu-loader amdhsa-loader nvptx-loader
