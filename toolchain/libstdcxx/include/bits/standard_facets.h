//===-- toolchain/libstdcxx/include/bits/standard_facets.h - Facets by their id -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has_facet() and use_facet() make of the facet that a locale has under an
// id. Each standard facet has an id of its own, so the facet under it is one,
// or derived from it: no dynamic_cast is needed. A stream looks for six facets
// when it begins, for which GCC 12's library takes three quarters of the time.
// Other facets may have inherited the id of their base: they are cast as there.
//===----------------------------------------------------------------------===//
#ifndef _GPUEXEC_STANDARD_FACETS_H
#define _GPUEXEC_STANDARD_FACETS_H 1

namespace std _GLIBCXX_VISIBILITY(default) {
  _GLIBCXX_BEGIN_NAMESPACE_VERSION

  template <typename _Facet> struct __facet_under_id {
#if __cpp_rtti
    static const _Facet *_S_cast(const locale::facet *__found) {
      return dynamic_cast<const _Facet *>(__found);
    }
    static const _Facet &_S_cast(const locale::facet &__found) {
      return dynamic_cast<const _Facet &>(__found);
    }
#else
    static const _Facet *_S_cast(const locale::facet *__found) {
      return static_cast<const _Facet *>(__found);
    }
    static const _Facet &_S_cast(const locale::facet &__found) {
      return static_cast<const _Facet &>(__found);
    }
#endif
  };

  template <typename _Facet> struct __standard_facet_under_id {
    static const _Facet *_S_cast(const locale::facet *__found) {
      return static_cast<const _Facet *>(__found);
    }
    static const _Facet &_S_cast(const locale::facet &__found) {
      return static_cast<const _Facet &>(__found);
    }
  };

#define _GPUEXEC_STANDARD_FACET(__parameter, ...)                              \
  template <__parameter>                                                       \
  struct __facet_under_id<__VA_ARGS__>                                         \
      : __standard_facet_under_id<__VA_ARGS__> {};
  _GPUEXEC_STANDARD_FACET(typename _CharT, ctype<_CharT>)
  _GPUEXEC_STANDARD_FACET(typename _CharT, codecvt<_CharT, char, mbstate_t>)
  _GPUEXEC_STANDARD_FACET(typename _CharT, collate<_CharT>)
  _GPUEXEC_STANDARD_FACET(typename _CharT, num_get<_CharT>)
  _GPUEXEC_STANDARD_FACET(typename _CharT, num_put<_CharT>)
  _GPUEXEC_STANDARD_FACET(typename _CharT, numpunct<_CharT>)
  _GPUEXEC_STANDARD_FACET(typename _CharT, money_get<_CharT>)
  _GPUEXEC_STANDARD_FACET(typename _CharT, money_put<_CharT>)
  _GPUEXEC_STANDARD_FACET(typename _CharT, moneypunct<_CharT, false>)
  _GPUEXEC_STANDARD_FACET(typename _CharT, moneypunct<_CharT, true>)
  _GPUEXEC_STANDARD_FACET(typename _CharT, time_get<_CharT>)
  _GPUEXEC_STANDARD_FACET(typename _CharT, time_put<_CharT>)
  _GPUEXEC_STANDARD_FACET(typename _CharT, messages<_CharT>)
#undef _GPUEXEC_STANDARD_FACET

  _GLIBCXX_END_NAMESPACE_VERSION
} // namespace )

#endif // _GPUEXEC_STANDARD_FACETS_H
