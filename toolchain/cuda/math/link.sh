#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Links CUDA's device math, and what else programs call, to one file of bitcode.
#   link.sh NEWLIB-OBJECTS WORK OUT OWN-OBJECTS LIBRARY-OBJECTS
# The last two are lists that semicolons separate. GPUEXEC_LLVM_LINK and GPUEXEC_OPT are llvm-link and opt.
set -eu
newlib=$1 work=$2 out=$3
own=$(echo "$4" | tr ';' ' ') library=$(echo "$5" | tr ';' ' ')
"$GPUEXEC_LLVM_LINK" "$newlib"/libm-*.o $library -o "$work.library.bc"
"$GPUEXEC_LLVM_LINK" $own -o "$work.own.bc"
"$GPUEXEC_LLVM_LINK" --only-needed "$work.own.bc" "$work.library.bc" -o "$work.all.bc"
"$GPUEXEC_OPT" -S -passes=verify "$work.own.bc" -o "$work.own.ll"
names=$(sed -nE 's/^define .*@(__(nv|cxa)_[a-z0-9_]+)\(.*/\1/p' "$work.own.ll" | paste -sd,)
"$GPUEXEC_OPT" -S -passes=internalize,globaldce -internalize-public-api-list="$names" "$work.all.bc" -o "$work.all.ll"
# A function with an attribute like "no-builtins" is not inlined into one without. Those of the processor come from who links this.
sed -E '/^attributes/{s/"(no-builtin[a-z-]*|target-features|target-cpu|frame-pointer|stack-protector-buffer-size|no-trapping-math)"(="[^"]*")?//g
s/ noinline / /}' "$work.all.ll" > "$work.plain.ll"
# 25: small functions only. The rest is inlined where it is used, if at all.
"$GPUEXEC_OPT" '-passes=cgscc(inline,function-attrs),globalopt,globaldce' -inline-threshold=25 "$work.plain.ll" -o "$out.new"
mv "$out.new" "$out"
