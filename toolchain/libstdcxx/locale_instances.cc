//===-- toolchain/libstdcxx/locale_instances.cc - Facets --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instances, for the character type CHARACTER, of the templates of <locale>
// that know no std::string. libstdc++ has them where it instantiates the facets
// of the std::string of before C++11, with which they work together: numbers
// are printed with that string's numpunct. We have the facets of C++11 alone
// (new_strings_only.cc), so these are instantiated for them.
//===----------------------------------------------------------------------===//
#include <locale>

namespace std {

template struct __moneypunct_cache<CHARACTER, false>;
template struct __moneypunct_cache<CHARACTER, true>;
template struct __numpunct_cache<CHARACTER>;
template struct __timepunct_cache<CHARACTER>;

template class __ctype_abstract_base<CHARACTER>;
template class __codecvt_abstract_base<CHARACTER, char, mbstate_t>;
template class __timepunct<CHARACTER>;
template class __pad<CHARACTER, char_traits<CHARACTER>>;
template class codecvt_byname<CHARACTER, char, mbstate_t>;
template class ctype_byname<CHARACTER>;
template class num_get<CHARACTER>;
template class num_put<CHARACTER>;
template class time_put<CHARACTER>;
template class time_put_byname<CHARACTER>;

#define FACET(...)                                                             \
  template const __VA_ARGS__ &use_facet<__VA_ARGS__>(const locale &);          \
  template bool has_facet<__VA_ARGS__>(const locale &);
FACET(__timepunct<CHARACTER>)
FACET(codecvt<CHARACTER, char, mbstate_t>)
FACET(ctype<CHARACTER>)
FACET(num_get<CHARACTER>)
FACET(num_put<CHARACTER>)
FACET(time_put<CHARACTER>)

using output = ostreambuf_iterator<CHARACTER>;
#define INTEGER(type)                                                          \
  template output num_put<CHARACTER>::_M_insert_int(output, ios_base &,        \
                                                    CHARACTER, type) const;
INTEGER(long)
INTEGER(unsigned long)
INTEGER(long long)
INTEGER(unsigned long long)
#define FLOATING(type)                                                         \
  template output num_put<CHARACTER>::_M_insert_float(                         \
      output, ios_base &, CHARACTER, char, type) const;
FLOATING(double)
FLOATING(long double)

template CHARACTER *__add_grouping(CHARACTER *, CHARACTER, const char *, size_t,
                                   const CHARACTER *, const CHARACTER *);
template int __int_to_char(CHARACTER *, unsigned long, const CHARACTER *,
                           ios_base::fmtflags, bool);
template int __int_to_char(CHARACTER *, unsigned long long, const CHARACTER *,
                           ios_base::fmtflags, bool);

} // namespace std
