//===-- services/blas/host/tests/gpu_lapack_test.cpp - LAPACK beside a GPU ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each function that cuSOLVER does, by its stand-in and by the host's library:
// the same numbers.
//===----------------------------------------------------------------------===//
#include "services/blas/host/tests/gpu_fixture.h"
#include <cmath>

extern "C" {
#include "services/blas/host/functions.h"
}

using namespace gpuexec::blas;

namespace {

constexpr uint64_t N = 5, SIDES = 2, LD = 7;

/// Arrays of a program, of doubles enough for complex numbers.
enum Array { A, B, PIVOTS, VALUES, U, V, REST, ARRAYS };
constexpr size_t DOUBLES = 2 * LD * LD;

struct Function {
  const char *name; ///< without the type's letter, of a real type
  /// A word of a request: a number, an array's address, or a letter.
  std::vector<std::string> words;
  /// Arrays whose numbers are the same whoever has computed them: eigenvectors
  /// may point the other way.
  std::vector<Array> same;
};

const Function FUNCTIONS[] = {
    {"getrf", {"n", "n", "A", "ld", "PIVOTS"}, {A, PIVOTS}},
    {"gesv", {"n", "sides", "A", "ld", "PIVOTS", "B", "ld"}, {A, PIVOTS, B}},
    {"potrf", {"'U", "n", "A", "ld"}, {A}},
    {"potrf", {"'L", "n", "A", "ld"}, {A}},
    {"posv", {"'L", "n", "sides", "A", "ld", "B", "ld"}, {A, B}},
    {"geqrf", {"n", "n", "A", "ld", "VALUES"}, {A, VALUES}},
    {"syev", {"'V", "'U", "n", "A", "ld", "VALUES"}, {VALUES}},
    {"syevd", {"'N", "'L", "n", "A", "ld", "VALUES"}, {VALUES}},
    {"gesvd",
     {"'A", "'S", "n", "n", "A", "ld", "VALUES", "U", "ld", "V", "ld", "REST"},
     {VALUES}},
};

struct GpuLapackTest : GpuTest {
  GpuLapackTest() {
    memory.resize(ARRAYS * DOUBLES);
    program.begin = reinterpret_cast<uint64_t>(memory.data());
    program.end = program.begin + memory.size() * sizeof(double);
  }

  /// A symmetric (Hermitian) positive matrix suits all functions.
  template <typename Real> void fill(bool is_complex) {
    Real *numbers = reinterpret_cast<Real *>(memory.data());
    for (size_t i = 0; i < memory.size() * sizeof(double) / sizeof(Real); ++i)
      numbers[i] = 0;
    Real *b = reinterpret_cast<Real *>(&memory[B * DOUBLES]);
    for (uint64_t column = 0; column < N; ++column)
      for (uint64_t row = 0; row < N; ++row) {
        const uint64_t i = (column * LD + row) * (is_complex ? 2 : 1);
        numbers[i] =
            row == column ? Real(10 + row) : Real((row + column) % 3) - 1;
        if (is_complex)
          numbers[i + 1] = Real(row < column) - Real(row > column);
        b[i] = Real(row) - Real(column);
      }
  }

  uint64_t word(const std::string &text) {
    static const std::map<std::string, Array> arrays = {
        {"A", A}, {"B", B}, {"PIVOTS", PIVOTS}, {"VALUES", VALUES},
        {"U", U}, {"V", V}, {"REST", REST}};
    if (const auto array = arrays.find(text); array != arrays.end())
      return reinterpret_cast<uint64_t>(&memory[array->second * DOUBLES]);
    return text == "n"       ? N
           : text == "sides" ? SIDES
           : text == "ld"    ? LD
                             : uint64_t(text[1]);
  }

  /// INFO; the program's arrays are then what the function made of them.
  int64_t call_function(const Function &function, char type,
                        uint64_t order = 102) {
    std::string name = function.name;
    if ((type == 'c' || type == 'z') && name.starts_with("sy"))
      name.replace(0, 2, "he");
    name = type + name + "_";
    uint32_t number = 0;
    while (number < lapack_function_count &&
           lapack_functions[number].name != name)
      ++number;
    std::vector<uint64_t> words = {order, 0};
    for (const std::string &text : function.words)
      words.push_back(word(text));
    if (type == 's' || type == 'c')
      fill<float>(type == 'c');
    else
      fill<double>(type == 'z');
    call_lanes({request(BLAS_LAPACK | number, words)});
    EXPECT_EQ(program.answer.at(0), 0u) << name;
    return int64_t(program.answer.at(1));
  }

  void close() {
    service->close(state);
    state = nullptr;
  }

  std::vector<double> memory;
};

template <typename Real>
void expect_same(const double *ours, const double *theirs, const char *what) {
  const Real *a = reinterpret_cast<const Real *>(ours);
  const Real *b = reinterpret_cast<const Real *>(theirs);
  for (size_t i = 0; i < DOUBLES * sizeof(double) / sizeof(Real); ++i)
    ASSERT_NEAR(a[i], b[i], sizeof(Real) == 4 ? 1e-4 : 1e-12)
        << what << ", number " << i;
}

TEST_F(GpuLapackTest, DoesWhatTheHostDoes) {
  std::vector<std::vector<double>> by_gpu;
  open();
  for (const Function &function : FUNCTIONS)
    for (char type : std::string("sdcz")) {
      const std::string what = type + std::string(function.name);
      program.allocations = 0;
      EXPECT_EQ(call_function(function, type), 0) << what;
      EXPECT_GT(program.allocations, 0u) << what << " was done by the host";
      EXPECT_TRUE(program.workspaces.empty()) << what;
      by_gpu.push_back(memory);
    }
  close();
  open("host");
  size_t done = 0;
  for (const Function &function : FUNCTIONS)
    for (char type : std::string("sdcz")) {
      const std::string what = type + std::string(function.name);
      EXPECT_EQ(call_function(function, type), 0) << what;
      for (Array array : function.same) {
        const double *ours = &by_gpu[done][array * DOUBLES];
        const double *theirs = &memory[array * DOUBLES];
        if (type == 's' || type == 'c')
          expect_same<float>(ours, theirs, what.c_str());
        else
          expect_same<double>(ours, theirs, what.c_str());
      }
      ++done;
    }
}

// Eigenvectors are: A v = w v.
TEST_F(GpuLapackTest, GivesEigenvectors) {
  open();
  EXPECT_EQ(call_function(FUNCTIONS[6], 'd'), 0);
  const std::vector<double> found = memory;
  fill<double>(false);
  for (uint64_t k = 0; k < N; ++k)
    for (uint64_t row = 0; row < N; ++row) {
      double sum = 0;
      for (uint64_t column = 0; column < N; ++column)
        sum += memory[column * LD + row] * found[k * LD + column];
      EXPECT_NEAR(sum, found[VALUES * DOUBLES + k] * found[k * LD + row], 1e-12)
          << "vector " << k << ", row " << row;
    }
}

// Matrices by rows are turned by the host, which has a copy.
TEST_F(GpuLapackTest, LeavesMatricesByRowsToTheHost) {
  open();
  EXPECT_EQ(call_function(FUNCTIONS[1], 'd', 101), 0);
  EXPECT_EQ(program.allocations, 0u);
  EXPECT_GT(program.copies, 0u);
}

TEST_F(GpuLapackTest, TellsWhatIsWrongWithAMatrix) {
  open();
  setenv("CUSOLVER_DOUBLE_INFO", "getrf:3", 1);
  EXPECT_EQ(call_function(FUNCTIONS[1], 'd'), 3); // and does not solve
  setenv("CUSOLVER_DOUBLE_INFO", "potrf:2", 1);
  EXPECT_EQ(call_function(FUNCTIONS[4], 'z'), 2);
}

} // namespace
