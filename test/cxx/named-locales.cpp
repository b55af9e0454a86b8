// std::locale("") with a UTF-8 locale in the environment, by name, composed of two, and of a name that no locale has: as with libstdc++ on a
// host that has C.UTF-8.
// RUN: %python %S/inputs/as_natively.py %s -o %t --gpucxx '%gpucxx' --run '%run' --levels=-O2
#include <clocale>
#include <cstdlib>
#include <iostream>
#include <locale>
#include <sstream>
#include <stdexcept>

// The first wide output of a program decides how glibc converts all of it: after the locale has been set.
static std::wostringstream out;

static void show(const char *name) {
  try {
    const std::locale locale(name);
    std::ostringstream text;
    text.imbue(locale);
    text << 1234567 << ' ' << 1.5 << ' ' << std::isalpha('x', locale) << std::toupper('x', locale);
    out << name << L": " << locale.name().c_str() << L' ' << text.str().c_str() << L'\n';
  } catch (const std::runtime_error &) {
    out << name << L": no such locale" << L'\n';
  }
}

int main() {
  for (const char *variable : {"LC_ALL", "LC_CTYPE", "LC_NUMERIC", "LC_TIME", "LC_COLLATE", "LC_MONETARY", "LC_MESSAGES", "LANG"})
    unsetenv(variable);
  show("");
  setenv("LANG", "C.UTF-8", 1);
  for (const char *name : {"", "C", "POSIX", "C.UTF-8", "nowhere.UTF-8x", "a-name-that-is-much-longer-than-any-locale-of-any-system-can-be-said-to-have"})
    show(name);
  const std::locale both(std::locale::classic(), std::locale("C.UTF-8"), std::locale::ctype);
  out << (std::locale(both.name().c_str()) == both) << (std::locale("C.UTF-8") == std::locale("")) << L'\n';
  std::locale::global(std::locale(""));
  out << std::setlocale(LC_ALL, nullptr) << L' ' << std::locale().name().c_str() << L' ' << std::isalpha(L'\u00e9', std::locale())
             << L' ' << std::toupper(L'\u00e9', std::locale()) << L" \u4e2d\u00e9" << L'\n';
  std::wcout << out.str() << std::flush;
}
