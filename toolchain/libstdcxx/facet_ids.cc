//===-- toolchain/libstdcxx/facet_ids.cc - Numbers of old facets *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A locale's table of facets has places for those of the std::string of before
// C++11, too, which stay empty (new_strings_only.cc). Compiled as that string's
// code, for the character type CHARACTER.
//===----------------------------------------------------------------------===//
#include <locale>

namespace std {

template locale::id numpunct<CHARACTER>::id;
template locale::id collate<CHARACTER>::id;
template locale::id time_get<CHARACTER>::id;
template locale::id money_get<CHARACTER>::id;
template locale::id money_put<CHARACTER>::id;
template locale::id moneypunct<CHARACTER, false>::id;
template locale::id moneypunct<CHARACTER, true>::id;
template locale::id messages<CHARACTER>::id;

} // namespace std
