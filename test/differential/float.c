// float arithmetic is the host's, in every bit: hard operands and random ones.
// RUN: %python %S/compare.py %s --gpucc '%gpucc' --gpuexec '%gpuexec --device=emulator' --hostcc clang -o %t
#define T float
#define HARD hard_float
#define RECORD record_float
#define F(name) name##f
#include "inputs/arithmetic.h"
