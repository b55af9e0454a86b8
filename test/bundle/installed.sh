#!/bin/sh
# The installed gpuexec-test-bundle: pack.py with the prefix that this file is in.
program=$(realpath -- "$0") && prefix=${program%/bin/*} || exit 1
if ! command -v python3 > /dev/null; then
  echo "gpuexec-test-bundle: error: there is no python3 in PATH; it is in Debian's package of that name" >&2
  exit 1
fi
GPUEXEC_BUILD=$prefix PYTHONDONTWRITEBYTECODE=1 exec python3 "$prefix/share/gpuexec/tests/test/bundle/pack.py" "$@"
