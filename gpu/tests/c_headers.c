// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code includes must be C, too.
#include "gpu/region_marks.h"
#include "gpu/start_up.h"
