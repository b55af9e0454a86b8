#!/bin/sh
# run_in.sh ROOT BUILD PROGRAM [ARGUMENT...]: runs a program with the libraries of an unpacked release of Debian (see
# debian_root.py), and with gpuexec's libhsa-runtime64.so.1 before ROCm's.
libraries=$1/usr/lib/x86_64-linux-gnu
build=$2
shift 2
exec "$libraries/ld-linux-x86-64.so.2" --library-path "$build/lib/gpuexec:$libraries" "$@"
