// Installed under the names of LLVM's loaders: their options, their statuses, their words.
// REQUIRES: emulator
// RUN: rm -rf %t && mkdir -p %t && cd %t && %gpucc %lanes -O2 %s -o image
// RUN: export GPUEXEC_DEVICE=emulator
// RUN: %bin/llvm-gpu-loader image; test $? -eq 1
// RUN: %bin/llvm-gpu-loader --threads 2 --blocks 2 image a; test $? -eq 2
// RUN: %bin/amdhsa-loader -threads-x=2 -blocks-y 3 image a b; test $? -eq 3
// RUN: %bin/llvm-gpu-loader - a b c < image; test $? -eq 4
// RUN: %bin/amdhsa-loader --no-parallelism image; test $? -eq 1
// RUN: %bin/amdhsa-loader --print-resource-usage image 2> err; test $? -eq 1; FileCheck %s --check-prefix=REGS < err
// REGS-COUNT-3: Kernel resources on AMDGPU is not supported yet.
// RUN: %bin/llvm-gpu-loader no-such-image 2> err; test $? -eq 1; FileCheck %s --check-prefix=MISSING < err
// MISSING: llvm-gpu-loader: error: no-such-image: No such file or directory
// RUN: %bin/llvm-gpu-loader --frobnicate image 2> err; test $? -eq 1
// RUN: %bin/llvm-gpu-loader %s 2> err; test $? -eq 1
// RUN: %bin/llvm-gpu-loader --help | FileCheck %s --check-prefix=HELP
// HELP: USAGE: llvm-gpu-loader [options] IMAGE
int main(int argc, char **argv) { return argc; }
