// time_get reads a whole format: what %p means depends on %I before it or behind it.
// RUN: %python %S/inputs/as_natively.py %s -o %t --gpucxx '%gpucxx' --run '%run' --levels=-O1
#include <cstdio>
#include <cstring>
#include <ctime>
#include <iterator>
#include <locale>
#include <sstream>

static void read(const char *text, const char *format) {
  std::istringstream in(text);
  tm time{};
  std::ios_base::iostate error = std::ios_base::badbit;
  const auto &facet = std::use_facet<std::time_get<char>>(in.getloc());
  facet.get(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>(), in, error, &time, format, format + strlen(format));
  printf("%s: %d:%d %d.%d.%d %d\n", text, time.tm_hour, time.tm_min, time.tm_mday, time.tm_mon, time.tm_year, int(error));
}
int main() {
  for (const char *text : {"01:25AM", "01:25PM", "12:00PM", "12:42AM"})
    read(text, "%I:%M%p");
  read("PM 07:08", "%p %I:%M");
  read("20 31 Dec 99", "%C %d %b %y");
}
