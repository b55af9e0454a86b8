/*===-- gpu/fat_binary.h - A mark of our fat binaries ----------*- C++ -*-===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    */
/* gpucc-fatbin and libcudart agree on it.                                    */
/*===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_GPU_FAT_BINARY_H
#define GPUEXEC_GPU_FAT_BINARY_H

/* A bit of the flags of a fat binary's entry, which NVIDIA's files leave 0: the
   device code may use that of other files of the same program or shared library
   (-rdc=true). libcudart links it when it is needed first. */
#define GPUEXEC_FAT_BINARY_RELOCATABLE (1ull << 40)

#endif
