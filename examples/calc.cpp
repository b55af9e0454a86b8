// A calculator that reads lines: expressions, variables and functions of one's own.
//   radius = 2
//   area(r) = pi * r^2
//   area(radius)          prints 12.566370614359172
// usage: calc [EXPRESSION...]; without expressions it reads standard input. A line that is wrong is told with its place,
// the next ones are read, and the exit status is 1.
#include <charconv>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

class syntax_error : public std::runtime_error {
public:
  syntax_error(size_t column, const std::string &text) : std::runtime_error(text), column(column) {}
  size_t column; ///< from 1
};

struct names;
/// An expression: its value, where names mean what they mean there.
using expression = std::function<double(const names &)>;

struct user_function {
  std::vector<std::string> parameters;
  expression body;
};

/// What names mean: in a call, its arguments, and what is outside.
struct names {
  const names *outside = nullptr;
  std::map<std::string, double, std::less<>> variables;
  std::map<std::string, std::shared_ptr<const user_function>, std::less<>> functions;
  int depth = 0; ///< of calls

  double variable(const std::string &name) const {
    if (const auto found = variables.find(name); found != variables.end())
      return found->second;
    if (!outside)
      throw std::out_of_range("'" + name + "' has no value");
    return outside->variable(name);
  }
  const names &global() const { return outside ? outside->global() : *this; }
};

const std::map<std::string, double (*)(double), std::less<>> built_in = {
    {"sin", std::sin}, {"cos", std::cos}, {"tan", std::tan},   {"exp", std::exp},
    {"log", std::log}, {"abs", std::fabs}, {"sqrt", [](double x) {
       if (x < 0)
         throw std::domain_error("the square root of a negative number");
       return std::sqrt(x);
     }}};

double call(const std::string &name, const std::vector<double> &arguments, const names &here) {
  const auto &functions = here.global().functions;
  const auto own = functions.find(name);
  const auto built = built_in.find(name);
  if (own == functions.end() && built == built_in.end())
    throw std::out_of_range("there is no function '" + name + "'");
  const size_t wanted = own != functions.end() ? own->second->parameters.size() : 1;
  if (arguments.size() != wanted)
    throw std::invalid_argument(name + "() takes " + std::to_string(wanted) + (wanted == 1 ? " argument" : " arguments"));
  if (own == functions.end())
    return built->second(arguments[0]);
  names inside{&here.global(), {}, {}, here.depth + 1};
  if (inside.depth > 200)
    throw std::overflow_error(name + "() calls itself without end");
  for (size_t i = 0; i < wanted; ++i)
    inside.variables[own->second->parameters[i]] = arguments[i];
  return own->second->body(inside);
}

/// Reads one line from left to right. A method per level of precedence.
class parser {
public:
  explicit parser(std::string_view text) : text(text) {}

  expression sum() {
    expression left = product();
    for (;;)
      if (take('+'))
        left = [a = left, b = product()](const names &n) { return a(n) + b(n); };
      else if (take('-'))
        left = [a = left, b = product()](const names &n) { return a(n) - b(n); };
      else
        return left;
  }

  /// NAME(NAME, ...) in front of "=", or NAME: what a line defines. Nothing when it defines nothing.
  bool definition(std::string &name, std::vector<std::string> &parameters, bool &is_function) {
    const size_t begin = at;
    name = word();
    is_function = !name.empty() && take('(');
    bool good = !name.empty();
    if (is_function) {
      do
        parameters.push_back(word());
      while (take(','));
      good = take(')') && !parameters.back().empty();
    }
    if (good && take('=') && !is_next('='))
      return true;
    at = begin;
    parameters.clear();
    return false;
  }

  bool at_end() { return skip(), at == text.size(); }
  void expect_end() {
    if (!at_end())
      fail("an operator or the end of the line");
  }

private:
  expression product() {
    expression left = power();
    for (;;)
      if (take('*'))
        left = [a = left, b = power()](const names &n) { return a(n) * b(n); };
      else if (take('/'))
        left = [a = left, b = power()](const names &n) {
          const double divisor = b(n);
          if (divisor == 0)
            throw std::domain_error("division by zero");
          return a(n) / divisor;
        };
      else
        return left;
  }

  expression power() {
    if (take('-'))
      return [a = power()](const names &n) { return -a(n); };
    expression base = primary();
    if (!take('^'))
      return base;
    return [a = base, b = power()](const names &n) { return std::pow(a(n), b(n)); };
  }

  expression primary() {
    if (take('(')) {
      expression inner = sum();
      if (!take(')'))
        fail("')'");
      return inner;
    }
    if (std::string name = word(); !name.empty()) {
      if (!take('('))
        return [name](const names &n) { return n.variable(name); };
      std::vector<expression> arguments;
      do
        arguments.push_back(sum());
      while (take(','));
      if (!take(')'))
        fail("',' or ')'");
      return [name, arguments](const names &n) {
        std::vector<double> values;
        for (const expression &argument : arguments)
          values.push_back(argument(n));
        return call(name, values, n);
      };
    }
    double value;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (error != std::errc())
      fail("a number, a name or '('");
    at = size_t(end - text.data());
    return [value](const names &) { return value; };
  }

  std::string word() {
    skip();
    const size_t begin = at;
    while (at < text.size() && (std::isalpha((unsigned char)text[at]) || (at > begin && std::isdigit((unsigned char)text[at]))))
      ++at;
    return std::string(text.substr(begin, at - begin));
  }
  bool is_next(char wanted) { return skip(), at < text.size() && text[at] == wanted; }
  bool take(char wanted) { return is_next(wanted) && ++at; }
  void skip() {
    while (at < text.size() && std::isspace((unsigned char)text[at]))
      ++at;
  }
  [[noreturn]] void fail(const char *wanted) {
    skip();
    throw syntax_error(at + 1, std::string(wanted) + " expected" +
                                   (at < text.size() ? std::string(", '") + text[at] + "' found" : ", the line ends"));
  }

  std::string_view text;
  size_t at = 0;
};

/// Carries out a line; prints the value of an expression.
void run_line(std::string_view line, names &global) {
  parser input(line.substr(0, line.find('#')));
  if (input.at_end())
    return;
  std::string name;
  user_function function;
  bool is_function = false;
  const bool defines = input.definition(name, function.parameters, is_function);
  function.body = input.sum();
  input.expect_end();
  if (is_function && defines) {
    global.functions[name] = std::make_shared<const user_function>(std::move(function));
    return;
  }
  const double value = function.body(global);
  if (defines) {
    global.variables[name] = value;
    return;
  }
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  std::cout.write(digits, end - digits) << '\n';
}

} // namespace

int main(int argc, char **argv) {
  names global;
  global.variables["pi"] = std::numbers::pi;
  global.variables["e"] = std::numbers::e;
  bool all_good = true;
  size_t number = 0;
  const auto run = [&](std::string_view line) {
    ++number;
    try {
      run_line(line, global);
    } catch (const syntax_error &error) {
      std::cerr << "calc:" << number << ':' << error.column << ": " << error.what() << '\n';
      all_good = false;
    } catch (const std::exception &error) {
      std::cerr << "calc:" << number << ": " << error.what() << '\n';
      all_good = false;
    }
  };
  for (int i = 1; i < argc; ++i)
    run(argv[i]);
  for (std::string line; argc == 1 && std::getline(std::cin, line);)
    run(line);
  return all_good ? 0 : 1;
}
