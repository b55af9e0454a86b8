// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A formula that is parsed into a tree once and evaluated for many values.
#include <cctype>
#include <cstdio>
#include <memory>
#include <string_view>

struct Node {
  char kind;
  double value = 0;
  std::unique_ptr<Node> left, right;
  double at(double x) const {
    switch (kind) {
    case 'x':
      return x;
    case '+':
      return left->at(x) + right->at(x);
    case '-':
      return left->at(x) - right->at(x);
    case '*':
      return left->at(x) * right->at(x);
    case '/':
      return left->at(x) / right->at(x);
    default:
      return value;
    }
  }
};

class Parser {
  std::string_view text;
  size_t place = 0;

  char next() const { return place < text.size() ? text[place] : 0; }
  std::unique_ptr<Node> join(std::unique_ptr<Node> left, std::unique_ptr<Node> (Parser::*part)()) {
    char kind = text[place++];
    std::unique_ptr<Node> right = (this->*part)();
    return std::make_unique<Node>(Node{kind, 0, std::move(left), std::move(right)});
  }
  std::unique_ptr<Node> atom() {
    if (next() == '(') {
      ++place;
      std::unique_ptr<Node> inner = sum();
      ++place;
      return inner;
    }
    auto node = std::make_unique<Node>();
    node->kind = next() == 'x' ? 'x' : '0';
    if (node->kind == 'x')
      ++place;
    for (; std::isdigit(static_cast<unsigned char>(next())); ++place)
      node->value = node->value * 10 + (next() - '0');
    return node;
  }
  std::unique_ptr<Node> product() {
    std::unique_ptr<Node> left = atom();
    while (next() == '*' || next() == '/')
      left = join(std::move(left), &Parser::atom);
    return left;
  }

public:
  explicit Parser(std::string_view source) : text(source) {}
  std::unique_ptr<Node> sum() {
    std::unique_ptr<Node> left = product();
    while (next() == '+' || next() == '-')
      left = join(std::move(left), &Parser::product);
    return left;
  }
};

int main() {
  double sum = 0;
  for (int round = 0; round < 100; ++round) {
    std::unique_ptr<Node> formula = Parser("(x+1)*(x-2)/(3+x*x)+x*(7-x)/(1+(x+2)*(x+2))-12/(x+5)").sum();
    for (int i = 0; i < 100; ++i)
      sum += formula->at(i * 0.25);
  }
  std::printf("%.6f\n", sum);
}
