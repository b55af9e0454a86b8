# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion for gpucc-port: commands and options as its own --help names them, libraries as it lists them.
_gpucc_port() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[0]}
  COMPREPLY=()
  [[ $command == *-pkg-config ]] && return # pkg-config's own words
  case $previous in
    --target)
      COMPREPLY=($(compgen -W "native gfx942 gfx90a gfx9-4-generic gfx1010 gfx1030 gfx1100 gfx1201 gfx10-1-generic gfx10-3-generic gfx11-generic gfx12-generic sm_70 sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120" -- "$current"))
      return ;;
    --prefix | --source | --descriptions)
      compopt -o filenames
      COMPREPLY=($(compgen -d -- "$current"))
      return ;;
    --jobs | --mirror) return ;;
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$("$command" --help 2>/dev/null | sed -n 's/^  \(-., \)\{0,1\}\(--[a-z]*\).*/\2/p')" -- "$current"))
  elif [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "$("$command" --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')" -- "$current"))
  else
    case ${COMP_WORDS[1]} in
      install | info) COMPREPLY=($(compgen -W "$("$command" list 2>/dev/null | cut -d' ' -f1)" -- "$current")) ;;
      remove) COMPREPLY=($(compgen -W "$("$command" list --installed 2>/dev/null | cut -d' ' -f1)" -- "$current")) ;;
    esac
  fi
}
complete -F _gpucc_port gpucc-port amdgcn-amd-amdhsa-pkg-config nvptx-none-pkg-config
