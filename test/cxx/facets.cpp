// Facets of locales: standard ones by their id, classes of one's own that inherit the id of a standard facet or have one, and
// what use_facet() throws where there is none.
// RUN: %python %S/inputs/as_natively.py %s -o %t --gpucxx '%gpucxx' --run '%run' --levels=-O2 --flags=-std=c++17
#include <cstdio>
#include <locale>
#include <sstream>
#include <typeinfo>

struct Dots : std::numpunct<char> {
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
  int more() const { return 7; }
};
struct Shouting : std::ctype<char> {
  char do_toupper(char c) const override { return c == '!' ? '?' : std::ctype<char>::do_toupper(c); }
  const char *do_toupper(char *low, const char *high) const override { return std::ctype<char>::do_toupper(low, high); }
};
struct Own : std::locale::facet {
  static std::locale::id id;
  int number = 5;
};
std::locale::id Own::id;

template <typename Facet> static void show(const char *name, const std::locale &locale) {
  std::printf("%s: %d", name, std::has_facet<Facet>(locale));
  try {
    const Facet &facet = std::use_facet<Facet>(locale);
    std::printf(" found %s", dynamic_cast<const std::locale::facet *>(&facet) ? "a facet" : "nothing");
  } catch (const std::bad_cast &) {
    std::printf(" bad_cast");
  }
  std::puts("");
}

static void show_all(const std::locale &locale) {
  show<std::ctype<char>>("ctype", locale);
  show<std::ctype<wchar_t>>("wide ctype", locale);
  show<std::num_put<char>>("num_put", locale);
  show<std::num_put<char, char *>>("num_put to pointers", locale);
  show<std::numpunct<char>>("numpunct", locale);
  show<std::codecvt<wchar_t, char, std::mbstate_t>>("codecvt", locale);
  show<std::collate<char>>("collate", locale);
  show<Dots>("Dots", locale);
  show<Shouting>("Shouting", locale);
  show<Own>("Own", locale);
}

int main() {
  const std::locale plain = std::locale::classic();
  show_all(plain);
  const std::locale dotted(std::locale(std::locale(plain, new Dots), new Shouting), new Own);
  show_all(dotted);
  std::ostringstream text;
  text.imbue(dotted);
  text << 1234567 << ' ' << std::use_facet<Dots>(dotted).more() << std::use_facet<Own>(dotted).number
       << std::use_facet<std::ctype<char>>(dotted).toupper('!');
  std::puts(text.str().c_str());
}
