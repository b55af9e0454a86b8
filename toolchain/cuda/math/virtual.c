//===-- toolchain/cuda/math/virtual.c - Calls of no function --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the C++ ABI puts into tables of virtual functions where there is none.
// ptxas takes the address of no function that the program lacks.
//===----------------------------------------------------------------------===//

/// A pure virtual function was called: while its object was built, or after.
void __cxa_pure_virtual(void) { __builtin_trap(); }
void __cxa_deleted_virtual(void) { __builtin_trap(); }
