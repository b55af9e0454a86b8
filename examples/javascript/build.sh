#!/bin/sh
# Builds mujs, the JavaScript engine of Debian's source package of that name, for a GPU:
#
#   examples/javascript/build.sh [--arch sm_90] [FOLDER]     mujs goes to FOLDER, the current one by default
#   gpuexec ./mujs examples/javascript/mandelbrot.js         a picture made of letters
#   echo 'print(2 / 3, [1, 2, 3].map(Math.sqrt))' | gpuexec ./mujs
#
# It needs the network for the source (dpkg-dev and a deb-src mirror of Debian 12), and half a minute for the link.
here=$(cd "$(dirname "$0")" && pwd)
if [ "$1" = --arch ]; then set -- "$3" "--arch=$2"; else set -- "$1"; fi
exec "$here/../../test/projects/projects.py" --install "${1:-.}" $2 mujs
