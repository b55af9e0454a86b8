//===-- toolchain/libstdcxx/narrow_characters.cc - ctype<char> --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What libstdc++ leaves to a target of the facet ctype<char>, for the bits of
// include/bits/ctype_base.h: the table of the locale "C", and letters of the
// other case.
//===----------------------------------------------------------------------===//
#include <cstring>
#include <locale>

namespace std {
namespace {

constexpr bool is_between(int low, int character, int high) {
  return low <= character && character <= high;
}

constexpr ctype_base::mask bit_if(bool is, ctype_base::mask bit) {
  return is ? bit : 0;
}

constexpr ctype_base::mask classes_of(int c) {
  const bool upper = is_between('A', c, 'Z'), lower = is_between('a', c, 'z');
  const bool digit = is_between('0', c, '9'), graph = is_between('!', c, '~');
  const bool letter = upper || lower;
  return bit_if(upper, ctype_base::upper) | bit_if(lower, ctype_base::lower) |
         bit_if(letter, ctype_base::alpha) | bit_if(digit, ctype_base::digit) |
         bit_if(letter || digit, ctype_base::alnum) |
         bit_if(digit || is_between('A', c, 'F') || is_between('a', c, 'f'),
                ctype_base::xdigit) |
         bit_if(c == ' ' || is_between('\t', c, '\r'), ctype_base::space) |
         bit_if(c == ' ' || c == '\t', ctype_base::blank) |
         bit_if(graph, ctype_base::graph) |
         bit_if(graph || c == ' ', ctype_base::print) |
         bit_if(graph && !letter && !digit, ctype_base::punct) |
         bit_if(is_between(0, c, 0x1f) || c == 0x7f, ctype_base::cntrl);
}

struct Table {
  ctype_base::mask classes[256];
  constexpr Table() : classes() {
    for (int c = 0; c < 128; ++c)
      classes[c] = classes_of(c);
  }
};
constexpr Table classic_characters;

template <typename Change>
const char *change_all(char *low, const char *high, Change change) {
  for (; low < high; ++low)
    *low = change(*low);
  return high;
}

char to_upper(char c) { return is_between('a', c, 'z') ? c - 'a' + 'A' : c; }
char to_lower(char c) { return is_between('A', c, 'Z') ? c - 'A' + 'a' : c; }

} // namespace

const ctype_base::mask *ctype<char>::classic_table() throw() {
  return classic_characters.classes;
}

ctype<char>::ctype(const mask *own, bool owned, size_t references)
    : facet(references), _M_c_locale_ctype(_S_get_c_locale()),
      _M_del(own && owned), _M_toupper(nullptr), _M_tolower(nullptr),
      _M_table(own ? own : classic_table()), _M_widen_ok(0), _M_narrow_ok(0) {
  memset(_M_widen, 0, sizeof _M_widen);
  memset(_M_narrow, 0, sizeof _M_narrow);
}

ctype<char>::ctype(__c_locale, const mask *own, bool owned, size_t references)
    : ctype(own, owned, references) {}

char ctype<char>::do_toupper(char c) const { return to_upper(c); }

const char *ctype<char>::do_toupper(char *low, const char *high) const {
  return change_all(low, high, to_upper);
}

char ctype<char>::do_tolower(char c) const { return to_lower(c); }

const char *ctype<char>::do_tolower(char *low, const char *high) const {
  return change_all(low, high, to_lower);
}

} // namespace std
