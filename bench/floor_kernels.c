// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Three kernels that do nothing: what bench/startup launches to learn what the device calls alone cost. */
__attribute__((device_kernel, visibility("protected"))) void _begin(void) {}
__attribute__((device_kernel, visibility("protected"))) void _start(void) {}
__attribute__((device_kernel, visibility("protected"))) void _end(void) {}
