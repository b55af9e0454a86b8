// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's side of a program with images in a section.
int main(void) { return 0; }
