//===-- libc-shim/time/dysize.c - The days of a year ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "libc-shim/time/zone.h"
#include <time.h>

int dysize(int year) { return is_leap_year(year) ? 366 : 365; }
