#compdef gpucc-port
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion of gpucc-port in zsh: commands and options as its own --help names them, libraries as it lists them.
_gpucc-port_libraries() { # lines NAME:WHAT IT IS FOR
  $words[1] list $1 2>/dev/null | awk '{ name = $1; $1 = $2 = ""; sub(/^ */, ""); print name ":" $0 }'
}

_gpucc-port() {
  local program=$words[1]
  local -a offered
  case $words[CURRENT-1] in
    --prefix | --source | --descriptions) _files -/; return ;;
    --target | --jobs | --mirror) return ;;
  esac
  if [[ $PREFIX == -* ]]; then
    offered=(${(f)"$($program --help 2>/dev/null | sed -n 's/^  \(-., \)\{0,1\}\(--[a-z]*\)\( [A-Z]*\)\{0,1\}  *\(.*\)/\2:\4/p')"})
  elif (( CURRENT == 2 )); then
    offered=(${(f)"$($program --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\)\( [A-Z.]*\)\{0,1\}  *\(.*\)/\1:\3/p')"})
  else
    case $words[2] in
      install | info) offered=(${(f)"$(_gpucc-port_libraries)"}) ;;
      remove) offered=(${(f)"$(_gpucc-port_libraries --installed)"}) ;;
    esac
  fi
  _describe -t words word offered
}
_gpucc-port "$@"
