# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion for gpuexec-test-bundle: its options, as its own --help names them, and the names of the tests.
_gpuexec_test_bundle() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[0]}
  COMPREPLY=()
  case $previous in
    -o) compopt -o filenames; COMPREPLY=($(compgen -d -- "$current")); return ;;
    --arch) COMPREPLY=($(compgen -W 'gfx942 gfx90a gfx1100 gfx1201 sm_70 sm_80 sm_90' -- "$current")); return ;;
    -j) return ;;
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$("$command" --help 2>/dev/null | grep -oE '^  --?[a-z-]+')" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$("$command" --list 2>/dev/null)" -- "$current"))
  fi
}
complete -F _gpuexec_test_bundle gpuexec-test-bundle
