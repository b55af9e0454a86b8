#compdef gpucc gpuc++ gpu-nvcc
# Completion of gpucc in zsh: its own options, as its --help names them, clang's, as clang itself completes them, and files.

# Offers lines NAME<tab>TEXT that begin like the word at the cursor. A name that ends with "=" takes a value: no space follows it.
_gpucc_offer() {
  local line name text
  local -a plain valued
  for line in "${(@f)1}"; do
    [[ $line == ${PREFIX}* ]] || continue
    name=${line%%$'\t'*} text=${line#*$'\t'}
    [[ $text == $line ]] && text=
    if [[ $name == *= ]]; then
      valued+=("${name//:/\\:}:$text")
    else
      plain+=("${name//:/\\:}:$text")
    fi
  done
  _describe -t options option plain -- valued -S ""
}

_gpucc() {
  local option lines=
  if [[ $PREFIX == (--arch|-mcpu|-march)=* ]]; then
    for option in native gfx942 gfx90a gfx9-4-generic gfx1010 gfx1030 gfx1100 gfx1201 gfx10-1-generic gfx10-3-generic gfx11-generic gfx12-generic \
      sm_70 sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120; do
      lines+="${PREFIX%%=*}=$option"$'\n'
    done
    _gpucc_offer "$lines"
  elif [[ $PREFIX == -* ]]; then
    _gpucc_offer "$($words[1] --help 2>/dev/null | sed -n 's/^  \(-[a-z-]*=\{0,1\}\)[^ ]* */\1\t/p')"$'\n'"$(clang-22 --autocomplete="$PREFIX" 2>/dev/null)"
  else
    _files
  fi
}
_gpucc "$@"
