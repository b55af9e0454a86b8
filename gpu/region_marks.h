// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- gpu/region_marks.h - Marks of regions of interest ---------*- C -*-===//
 * Device code marks where a region begins or ends by three s_ttracedata
 * instructions in a row: M0 holds one of these words at the first, the lower
 * half of the address of the region's name at the second, and the upper half at
 * the third. Installed as <gpuexec/region_marks.h>; C and C++.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_REGION_MARKS_H
#define GPUEXEC_REGION_MARKS_H

#define GPUEXEC_REGION_BEGIN 0x47524f42u /* "GROB" */
#define GPUEXEC_REGION_END 0x47524f45u   /* "GROE" */

#endif /* GPUEXEC_REGION_MARKS_H */
