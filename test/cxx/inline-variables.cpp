// Variables that several files may define, and that have constructors and destructors: inline ones, those of templates.
// RUN: %python %S/inputs/as_natively.py %s -o %t --gpucxx '%gpucxx' --run '%run' --flags=-std=c++17
#include <cstdio>
#include <map>
#include <string>

struct Counted {
  int value;
  explicit Counted(int v) : value(v) { std::printf("constructed %d\n", v); }
  ~Counted() { std::printf("destroyed %d\n", value); }
};

template <class T> struct Holder {
  static Counted counted;
  static std::map<int, std::string> names;
};
template <class T> Counted Holder<T>::counted(1);
template <class T> std::map<int, std::string> Holder<T>::names = {{1, "one"}, {2, "two"}};
inline Counted shared(2);
template <class T> Counted variable(3);

int main() {
  std::printf("%d %d %d\n", Holder<int>::counted.value, shared.value, variable<int>.value);
  Holder<long>::names.insert(Holder<long>::names.begin(), {0, "zero"});
  for (const auto &[key, name] : Holder<long>::names)
    std::printf("%d %s\n", key, name.c_str());
}
