// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* newlib's own header uses macros of newlib.h without including it. */
#include <newlib.h>
#include_next <machine/ieeefp.h>
