# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion for gpucc: its own options, as its --help names them, and clang's, as clang itself completes them.
_gpucc() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[0]}
  COMPREPLY=()
  # bash makes three words of --name=value.
  [[ $current == = ]] && current=
  [[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD - 2]}
  case $previous in
    --arch | -mcpu | -march)
      COMPREPLY=($(compgen -W "native gfx942 gfx90a gfx9-4-generic gfx1010 gfx1030 gfx1100 gfx1201 gfx10-1-generic gfx10-3-generic gfx11-generic gfx12-generic sm_70 sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120" -- "$current"))
      return ;;
    --maxrregcount | --gpu-max-threads-per-block | --link-jobs) return ;;
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$("$command" --help 2>/dev/null | grep -oE '^  --[a-z-]+=?')
      $(clang-22 --autocomplete="$current" 2>/dev/null | cut -f1)" -- "$current"))
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  else
    compopt -o filenames
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -F _gpucc gpucc gpuc++ gpu-nvcc
