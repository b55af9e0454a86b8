# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion for gpuexec. The options come from gpuexec itself, so that they are always those of the version that is
# installed. After the image words are the program's: file names.
# `gpuexec serve` has options of its own, from its --help.
_gpuexec_serve() {
  local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[0]} option=${COMP_WORDS[COMP_CWORD - 1]} options
  [[ $option == = ]] && option=${COMP_WORDS[COMP_CWORD - 2]}
  [[ $current == = ]] && current= option=${COMP_WORDS[COMP_CWORD - 1]}
  case $option in
    --device | -device) COMPREPLY=($(compgen -W "$("$command" --list-devices 2>/dev/null | cut -d' ' -f1)" -- "$current")) ;;
    --socket | -socket | --key | -key | --certificate | -certificate | --certificate-key | -certificate-key | --authority | -authority)
      compopt -o filenames; COMPREPLY=($(compgen -f -- "$current")) ;;
    --listen | -listen) COMPREPLY=($(compgen -W "tcp:// vsock://" -- "$current")); compopt -o nospace ;;
    *)
      options=$("$command" serve --help 2>/dev/null | sed -n 's/^  \(--[a-z-]*=\{0,1\}\).*/\1/p')
      COMPREPLY=($(compgen -W "$options" -- "$current"))
      [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace ;;
  esac
}
# `gpuexec blas` has, too; behind the program's name its words are the program's.
_gpuexec_blas() {
  local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[0]} i option=
  [[ $current == = ]] && current=
  for ((i = 2; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      =) continue ;;
      -*) option=${COMP_WORDS[i]}; continue ;;
    esac
    if [[ ${COMP_WORDS[i - 1]} == = || $option == --device || $option == --min-size ]]; then
      option=
      continue
    fi
    compopt -o filenames
    COMPREPLY=($(compgen -f -- "$current"))
    return
  done
  case $option in
    --device) COMPREPLY=($(compgen -W "cuda off" -- "$current")) ;;
    --min-size) ;;
    *)
      if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$("$command" blas --help 2>/dev/null | sed -n 's/^  \(--[a-z-]*=\{0,1\}\).*/\1/p')" -- "$current"))
        [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
      else
        compopt -o filenames
        COMPREPLY=($(compgen -c -f -- "$current"))
      fi ;;
  esac
}
# Completes the image or recording, and before any option the command.
_gpuexec_words() {
  compopt -o filenames
  COMPREPLY=($(compgen -f -- "$current"))
  [[ COMP_CWORD -eq 1 ]] && COMPREPLY+=($(compgen -W "$("$command" --complete= 2>/dev/null | cut -f1)" -- "$current"))
}
_gpuexec() {
  local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[0]} option= i=1 word options
  COMPREPLY=()
  if [[ COMP_CWORD -gt 1 ]]; then
    case ${COMP_WORDS[1]} in
      serve) _gpuexec_serve; return ;;
      blas) _gpuexec_blas; return ;;
      help) COMPREPLY=($(compgen -W "$("$command" --complete= 2>/dev/null | cut -f1)" -- "$current")); return ;;
      run | replay | compare) i=2 ;; # with the options of an image
    esac
  fi
  options=$'\n'$("$command" --complete=-- 2>/dev/null | cut -f1)$'\n'
  # Walk over what stands before the cursor. bash makes three words of --name=value. `option` becomes the option whose
  # value is being typed; the first word that is neither option nor value is the image.
  for ((; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == -?* && $word != -- ]]; then
      word=${word#-} word=${word#-} option=--$word
      [[ $options == *$'\n'"$option="$'\n'* ]] || option=
    elif [[ $word == = && -n $option ]] || [[ $word == -- ]]; then
      continue
    elif [[ -n $option ]]; then
      option= # that was its value
    else
      compopt -o filenames
      COMPREPLY=($(compgen -f -- "$current"))
      return
    fi
  done
  [[ $current == = ]] && current=
  case $option in
    --device) COMPREPLY=($(compgen -W "auto $("$command" --list-devices 2>/dev/null | cut -d' ' -f1)" -- "$current")) ;;
    --color) COMPREPLY=($(compgen -W "auto always never" -- "$current")) ;;
    --constructors) COMPREPLY=($(compgen -W "auto begin runtime" -- "$current")) ;;
    --replay-schedule) COMPREPLY=($(compgen -W "recorded off" -- "$current")) ;;
    --dir) compopt -o filenames; COMPREPLY=($(compgen -d -- "$current")) ;;
    --server-key | --server-certificate | --server-certificate-key | --server-authority | --junit | --timings | --trace | --stats-json | --service | --record | --record-standalone | --replay | --replay-live | --compare)
      compopt -o filenames; COMPREPLY=($(compgen -f -- "$current")) ;;
    ?*) ;;
    *)
      if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$current"))
        [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
      else
        _gpuexec_words
      fi ;;
  esac
}
complete -F _gpuexec gpuexec llvm-gpu-loader amdhsa-loader nvptx-loader
