# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion for gpu-replay: its options, as its own --help names them, and files.
_gpu_replay() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[0]}
  COMPREPLY=()
  # bash makes three words of --name=value.
  [[ $current == = ]] && current=
  [[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD - 2]}
  case $previous in
    --device) COMPREPLY=($(compgen -W 'auto cuda hsa emulator' -- "$current")); return ;;
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$("$command" --help 2>/dev/null | grep -oE '^  --[a-z-]+=?')" -- "$current"))
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  else
    compopt -o filenames
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -F _gpu_replay gpu-replay
