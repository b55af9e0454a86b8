#!/bin/sh
# Builds the Lua of Debian's source package lua5.4 for a GPU, an ordinary program of 33 files that nobody changed for it:
#
#   examples/lua/build.sh [--arch sm_90] [FOLDER]     lua goes to FOLDER, the current one by default
#   gpuexec ./lua                                     an interactive Lua; Ctrl-D ends it
#   gpuexec ./lua examples/lua/life.lua 40            a script with an argument
#
# It needs the network for the source (dpkg-dev and a deb-src mirror of Debian 12), and half a minute for the link.
here=$(cd "$(dirname "$0")" && pwd)
if [ "$1" = --arch ]; then set -- "$3" "--arch=$2"; else set -- "$1"; fi
exec "$here/../../test/projects/projects.py" --install "${1:-.}" $2 lua5.4
