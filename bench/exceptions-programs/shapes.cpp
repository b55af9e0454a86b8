// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual functions of a mixed list of shapes.
#include <cstdio>
#include <memory>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
  virtual void scale(double by) = 0;
};
struct Square : Shape {
  double side;
  explicit Square(double s) : side(s) {}
  double area() const override { return side * side; }
  void scale(double by) override { side *= by; }
};
struct Disc : Shape {
  double radius;
  explicit Disc(double r) : radius(r) {}
  double area() const override { return 3.0 * radius * radius; }
  void scale(double by) override { radius *= by; }
};
struct Pair : Shape {
  std::unique_ptr<Shape> first, second;
  Pair(std::unique_ptr<Shape> a, std::unique_ptr<Shape> b) : first(std::move(a)), second(std::move(b)) {}
  double area() const override { return first->area() + second->area(); }
  void scale(double by) override {
    first->scale(by);
    second->scale(by);
  }
};

static std::unique_ptr<Shape> make(int i) {
  if (i % 3 == 0)
    return std::make_unique<Square>(1 + i % 7);
  if (i % 3 == 1 || i < 2)
    return std::make_unique<Disc>(1 + i % 5);
  return std::make_unique<Pair>(make(i / 2), make(i / 3));
}

int main() {
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < 1000; ++i)
    shapes.push_back(make(i));
  double sum = 0;
  for (int round = 0; round < 60; ++round)
    for (auto &shape : shapes) {
      shape->scale(round % 2 ? 0.5 : 2);
      sum += shape->area();
    }
  std::printf("%.0f\n", sum);
}
