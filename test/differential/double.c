// double arithmetic is the host's, in every bit: hard operands and random ones.
// RUN: %python %S/compare.py %s --gpucc '%gpucc' --gpuexec '%gpuexec --device=emulator' --hostcc clang -o %t
#define T double
#define HARD hard_double
#define RECORD record_double
#define F(name) name
#include "inputs/arithmetic.h"
