// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices with operators, each result a vector of its own.
#include <cstdio>
#include <vector>

class Matrix {
  size_t size;
  std::vector<double> cells;

public:
  explicit Matrix(size_t n) : size(n), cells(n * n) {}
  double &operator()(size_t row, size_t column) { return cells[row * size + column]; }
  double operator()(size_t row, size_t column) const { return cells[row * size + column]; }
  Matrix operator*(const Matrix &other) const {
    Matrix result(size);
    for (size_t i = 0; i < size; ++i)
      for (size_t k = 0; k < size; ++k)
        for (size_t j = 0; j < size; ++j)
          result(i, j) += (*this)(i, k) * other(k, j);
    return result;
  }
  Matrix operator+(const Matrix &other) const {
    Matrix result(*this);
    for (size_t i = 0; i < cells.size(); ++i)
      result.cells[i] += other.cells[i];
    return result;
  }
};

int main() {
  Matrix a(12), b(12);
  for (size_t i = 0; i < 12; ++i)
    for (size_t j = 0; j < 12; ++j) {
      a(i, j) = (i * 7 + j * 3) % 11 / 60.0;
      b(i, j) = (i + j * 5) % 13 / 70.0;
    }
  for (int round = 0; round < 60; ++round)
    a = a * b + a;
  double trace = 0;
  for (size_t i = 0; i < 12; ++i)
    trace += a(i, i);
  std::printf("%.9e\n", trace);
}
