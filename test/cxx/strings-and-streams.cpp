// Strings, streams, numbers as text, locales, regular expressions, files and directories print what they print natively.
// RUN: %python %S/inputs/as_natively.py %s -o %t --gpucxx '%gpucxx' --run '%run'
#include <algorithm>
#include <charconv>
#include <complex>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <limits>
#include <locale>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;

struct Point {
  double x, y;
  friend std::ostream &operator<<(std::ostream &to, const Point &p) { return to << '(' << p.x << ", " << p.y << ')'; }
  friend std::istream &operator>>(std::istream &from, Point &p) { return from >> p.x >> p.y; }
};

static void strings() {
  std::string text = "the quick brown fox";
  text.replace(4, 5, "slow").append(3, '!').insert(0, "> ");
  std::cout << text << ' ' << text.find("fox") << ' ' << text.rfind('o') << ' ' << text.find_first_not_of("> the") << '\n';
  std::cout << text.substr(6, 4) << text.compare("> the") << (text < "> to") << std::string(40, 'x').size() << '\n';
  std::string_view view = text;
  view.remove_prefix(2);
  std::cout << view.substr(0, 8) << '|' << std::stoi("  -42") + std::stod("1e3") << '|' << std::to_string(3.5) << '|' << std::stoul("ff", nullptr, 16) << '\n';
  std::wstring wide = L"wide \u00e4\u20ac";
  std::u16string u16 = u"\U0001F600";
  std::cout << wide.size() << ' ' << u16.size() << ' ' << std::string("a\0b", 3).size() << '\n';
}

static void streams() {
  std::cout << std::boolalpha << true << std::noboolalpha << ' ' << std::hex << std::showbase << 255 << ' ' << std::oct << 8 << std::dec << std::noshowbase;
  std::cout << ' ' << std::setw(8) << std::setfill('*') << 42 << ' ' << std::left << std::setw(6) << "ab" << std::right << '|' << std::internal << std::setw(7) << -5 << '\n';
  std::cout << std::setfill(' ') << 3.14159265358979 << ' ' << std::setprecision(12) << 1e100 / 3 << ' ' << std::fixed << 2.5 << ' ' << std::scientific << 12345.678 << ' ' << std::hexfloat << 0.1 << std::defaultfloat << '\n';
  std::cout << std::setprecision(6) << std::complex<double>(1, -2) * std::complex<double>(0, 1) << ' ' << std::quoted("say \"hi\"") << ' ' << Point{1.5, -2} << '\n';
  std::cout << std::numeric_limits<double>::infinity() << ' ' << -std::numeric_limits<float>::infinity() << ' ' << (const char *)"text" << ' ' << (void *)nullptr << ' ' << 'c' << ' ' << 7LL << ' ' << 8.25f << '\n';
  std::istringstream in("12 0x1f 3.5e2 word true 1,2,3\nnext line\n7 8");
  int a, b;
  double c;
  std::string word, line;
  bool yes;
  in >> a >> std::hex >> b >> std::dec >> c >> word >> std::boolalpha >> yes;
  std::getline(in, line);
  std::cout << a << ' ' << b << ' ' << c << ' ' << word << ' ' << yes << " [" << line << "]\n";
  std::getline(in, line);
  Point point{};
  in >> point;
  std::cout << line << ' ' << point << ' ' << in.eof() << in.fail();
  in >> a;
  std::cout << ' ' << in.fail() << in.good() << '\n';
  std::stringstream both;
  both << "x=" << 10 << ";y=" << 20.5;
  char skip;
  both >> skip >> skip >> a >> skip >> skip >> skip >> c;
  std::cout << a << ' ' << c << ' ' << both.tellg() << '\n';
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << 1234567.891 << ' ' << std::put_money("12345");
  std::cout << out.str() << ' ' << std::isalpha('q', std::locale()) << std::toupper('q', std::locale::classic()) << '\n';
  std::cerr << "to standard error\n";
  std::clog << "and log" << std::endl;
  std::wostringstream wide;
  wide << L"wide " << 3 << L' ' << std::setw(4) << 2.5;
  std::cout << wide.str().size() << '\n';
  try {
    in.exceptions(std::ios::failbit);
    in.clear();
    in >> a;
  } catch (const std::ios_base::failure &failure) {
    std::cout << "failure: " << failure.what() << '\n';
  }
}

static void numbers() {
  char buffer[64];
  for (double value : {0.1, 1e23, 5e-324, 123456789.125, -1.0 / 3}) {
    auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    double back = 0;
    std::from_chars(buffer, end, back);
    std::cout << std::string_view(buffer, end - buffer) << (back == value ? " same" : " other") << ' ';
    end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 3).ptr;
    std::cout << std::string_view(buffer, end - buffer) << '\n';
  }
  for (int base : {2, 10, 16, 36})
    std::cout << std::string_view(buffer, std::to_chars(buffer, buffer + 64, -123456789, base).ptr - buffer) << ' ';
  unsigned char small = 0;
  const auto result = std::from_chars("300x", "300x" + 4, small);
  std::cout << (result.ec == std::errc::result_out_of_range) << ' ' << *result.ptr << '\n';
}

static void expressions() {
  const std::string text = "On 2024-02-29 and 1999-12-31, but not 99-1-1.";
  const std::regex date(R"((\d{4})-(\d\d)-(\d\d))");
  for (std::sregex_iterator at(text.begin(), text.end(), date), end; at != end; ++at)
    std::cout << (*at)[3] << '.' << (*at)[2] << '.' << (*at)[1] << " at " << at->position() << '\n';
  std::cout << std::regex_replace(text, date, "<$1>") << '\n';
  std::cout << std::regex_match("abcabc", std::regex("(abc)\\1")) << std::regex_search("HeLLo", std::regex("hello", std::regex::icase)) << '\n';
  try {
    std::regex broken("a(b");
  } catch (const std::regex_error &error) {
    std::cout << "regex_error " << (error.code() == std::regex_constants::error_paren) << '\n';
  }
}

static void files() {
  fs::remove_all("folder");
  fs::create_directories("folder/inner");
  {
    std::ofstream out("folder/inner/file.txt");
    for (int i = 0; i < 5; ++i)
      out << "line " << i << '\n';
  }
  std::ifstream in("folder/inner/file.txt");
  std::string line;
  int count = 0;
  while (std::getline(in, line))
    count += int(line.size());
  std::fstream change("folder/inner/file.txt", std::ios::in | std::ios::out);
  change.seekp(5);
  change << "ZERO";
  change.seekg(0);
  std::getline(change, line);
  std::cout << count << ' ' << line << ' ' << fs::file_size("folder/inner/file.txt") << '\n';
  fs::copy_file("folder/inner/file.txt", "folder/copy");
  fs::rename("folder/copy", "folder/moved");
  fs::create_symlink("moved", "folder/link");
  std::vector<std::string> names;
  for (const auto &entry : fs::recursive_directory_iterator("folder"))
    names.push_back(entry.path().generic_string() + (entry.is_directory() ? "/" : entry.is_symlink() ? "@" : ""));
  std::sort(names.begin(), names.end());
  for (const std::string &name : names)
    std::cout << name << ' ';
  const fs::path path = "folder/../folder/./inner/file.tar.gz";
  std::cout << '\n' << path.lexically_normal() << path.filename() << path.stem() << path.extension() << fs::path("/a/b").is_absolute() << '\n';
  std::error_code error;
  std::cout << fs::exists("folder/none", error) << fs::remove_all("folder") << ' ';
  fs::file_size("folder/none", error);
  std::cout << (error == std::errc::no_such_file_or_directory) << ' ' << error.message() << '\n';
  try {
    fs::directory_iterator none("none");
  } catch (const fs::filesystem_error &problem) {
    std::cout << problem.path1() << ' ' << problem.code().value() << '\n';
  }
  std::ifstream none("none");
  std::cout << none.is_open() << !none << '\n';
}

int main() {
  strings();
  streams();
  numbers();
  expressions();
  files();
}
