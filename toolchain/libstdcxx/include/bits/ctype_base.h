//===-- toolchain/libstdcxx/include/bits/ctype_base.h - Classes of characters -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands in for libstdc++'s file of this name for newlib, whose bits are those
// of newlib's table: none is for "blank" (isblank('\n') was true, and a regular
// expression's [[:blank:]] found it), and some are for a part of a class, while
// the facet of wide characters looks for one class a bit. Here each class has a
// bit, the one that it has with glibc.
//===----------------------------------------------------------------------===//
namespace std _GLIBCXX_VISIBILITY(default) {
  _GLIBCXX_BEGIN_NAMESPACE_VERSION

  /// What the facets ctype<char> and ctype<wchar_t> have in common.
  struct ctype_base {
    typedef const int *__to_type;
    typedef unsigned short mask;
    static const mask blank = 1 << 0;
    static const mask cntrl = 1 << 1;
    static const mask punct = 1 << 2;
    static const mask alnum = 1 << 3;
    static const mask upper = 1 << 8;
    static const mask lower = 1 << 9;
    static const mask alpha = 1 << 10;
    static const mask digit = 1 << 11;
    static const mask xdigit = 1 << 12;
    static const mask space = 1 << 13;
    static const mask print = 1 << 14;
    static const mask graph = 1 << 15;
  };

  _GLIBCXX_END_NAMESPACE_VERSION
} // namespace )
