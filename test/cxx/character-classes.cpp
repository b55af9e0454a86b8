// The facets ctype<char> and ctype<wchar_t>: each class of characters by itself and joined, ranges of characters, tables of one's own,
// and what regular expressions and isblank() make of them.
// RUN: %python %S/inputs/as_natively.py %s -o %t --gpucxx '%gpucxx' --run '%run' --levels=-O2 --flags=-std=c++17
#include <cstdio>
#include <locale>
#include <regex>
#include <string>

using base = std::ctype_base;

static const struct {
  const char *name;
  base::mask bits;
} classes[] = {
    {"alnum", base::alnum}, {"alpha", base::alpha}, {"blank", base::blank}, {"cntrl", base::cntrl}, {"digit", base::digit},
    {"graph", base::graph}, {"lower", base::lower}, {"print", base::print}, {"punct", base::punct}, {"space", base::space},
    {"upper", base::upper}, {"xdigit", base::xdigit}, {"two", base::mask(base::digit | base::space)},
};

template <typename Character> void show(const char *type) {
  const auto &facet = std::use_facet<std::ctype<Character>>(std::locale::classic());
  Character all[129] = {};
  for (int c = 0; c < 128; ++c)
    all[c] = Character(c);
  base::mask bits[128];
  facet.is(all, all + 128, bits);
  for (const auto &one : classes) {
    std::printf("%s %s:", type, one.name);
    for (int c = 0; c < 128; ++c) {
      if (facet.is(one.bits, all[c]))
        std::printf(" %d", c);
      if (facet.is(one.bits, all[c]) != ((bits[c] & one.bits) != 0))
        std::printf(" %d differs in a range", c);
    }
    std::printf(", from '0' %d, not from 'a' %d\n", int(facet.scan_is(one.bits, &all['0'], all + 128) - all),
                int(facet.scan_not(one.bits, &all['a'], all + 128) - all));
  }
  std::basic_string<Character> upper(all, 128), lower(all, 128);
  facet.toupper(upper.data(), upper.data() + 128);
  facet.tolower(lower.data(), lower.data() + 128);
  for (int c = 0; c < 128; ++c)
    if (upper[c] != lower[c] || facet.toupper(all[c]) != upper[c] || facet.tolower(all[c]) != lower[c])
      std::printf(" %d/%d", int(upper[c]), int(lower[c]));
  std::puts("");
}

struct Facet : std::ctype<char> {
  using std::ctype<char>::ctype;
};

static void show_own_table() {
  base::mask own[std::ctype<char>::table_size] = {};
  own['a'] = base::digit;
  const Facet facet(own);
  std::printf("own table: %d %d %c %c\n", facet.is(base::digit, 'a'), facet.is(base::lower, 'a'), facet.toupper('a'), facet.tolower('Z'));
}

int main() {
  show<char>("char");
  show<wchar_t>("wchar_t");
  show_own_table();
  for (const char *pattern : {"[[:blank:]]", "[[:xdigit:]]+", "[[:print:]]+", "\\w+", "\\s+"})
    std::printf("%s: %s\n", pattern, std::regex_replace(std::string("\n\tg beef_ \x7f!"), std::regex(pattern), "<$&>").c_str());
  std::printf("%d %d %d\n", std::isblank('\n', std::locale()), std::isblank('\t', std::locale()), std::isblank(L' ', std::locale()));
}
