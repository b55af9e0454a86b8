#compdef gpuexec-info gpu-replay gpuexec-test-bundle
# Completion in zsh of gpuexec's smaller tools: the options that the tool's --help names, with what they do, and files.
_gpuexec_tools() {
  local line name text
  local -a plain valued
  if [[ $PREFIX != -* ]]; then
    _files
    return
  fi
  for line in "${(@f)$($words[1] --help 2>/dev/null | sed -n 's/^  \(--[a-z-]*\)\([= ]\)[^ ]* */\1\2\t/p')}"; do
    [[ $line == ${PREFIX}* ]] || continue
    name=${${line%%$'\t'*}% } text=${line#*$'\t'}
    if [[ $name == *= ]]; then
      valued+=("$name:$text")
    else
      plain+=("$name:$text")
    fi
  done
  _describe -t options option plain -- valued -S ""
}
_gpuexec_tools "$@"
