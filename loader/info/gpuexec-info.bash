# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion for gpuexec-info: options and what their values may be, from itself (--complete, --complete-value), and files.
_gpuexec_info() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[0]} options offers=:files
  COMPREPLY=()
  # bash makes three words of --name=value.
  [[ $current == = ]] && current=
  [[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD - 2]}
  options=$("$command" --complete=-- 2>/dev/null | cut -f1)
  if [[ $'\n'$options$'\n' == *$'\n'$previous=$'\n'* ]]; then
    offers=$("$command" --complete-value="$previous" 2>/dev/null)
  elif [[ $current == -* ]]; then
    offers=$options
  fi
  if [[ $offers == :files ]]; then
    compopt -o filenames
    COMPREPLY=($(compgen -f -- "$current"))
  else
    COMPREPLY=($(compgen -W "$offers" -- "$current"))
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  fi
}
complete -F _gpuexec_info gpuexec-info
