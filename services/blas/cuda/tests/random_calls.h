//===-- services/blas/cuda/tests/random_calls.h - Calls of CBLAS, by chance -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments that are right for a function, from the kinds and names of its
// parameters, and the same call of the host's CBLAS (cublas.py, reference).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_BLAS_CUDA_TESTS_RANDOM_CALLS_H
#define GPUEXEC_SERVICES_BLAS_CUDA_TESTS_RANDOM_CALLS_H

#include <cstring>
#include <random>
#include <string>
#include <vector>

extern "C" {
#include "cblas.h"
#include "services/blas/cuda/cublas.h"
}
#include "cublas_reference.inc"

namespace gpuexec::blas {

constexpr size_t DOUBLES = 4096; // of an array; more than any call uses

/// The arguments of a call, and the arrays that they name.
struct Call {
  std::vector<blas_argument> arguments;
  std::vector<std::vector<double>> arrays;
  std::vector<double> numbers; ///< each behind one: not aligned to its size
  double result[2] = {0, 0};
};

class Letters {
public:
  Letters(std::mt19937 &random, const char *function)
      : random(random), function(function + strlen("cblas_")) {}
  int between(int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  }
  /// An integer that suits the parameter of this name.
  int integer(const std::string &name, bool is_level_1) {
    if (name == "order")
      return between(101, 102);
    if (name.starts_with("trans"))
      return transposition();
    if (name == "uplo")
      return between(121, 122);
    if (name == "diag")
      return between(131, 132);
    if (name == "side")
      return between(141, 142);
    if (name.starts_with("ld"))
      return between(14, 15);
    if (name.starts_with("inc")) {
      const int increment = between(1, 3);
      return between(0, 1) ? increment : -increment;
    }
    return between(is_level_1 ? -1 : 0, name.starts_with("k") ? 2 : 6);
  }

private:
  /// Functions of Hermitian matrices take no transposed ones, complex ones of
  /// symmetric matrices no conjugate ones.
  int transposition() {
    const int letter = between(111, 113);
    if (function.find("her") == 1 && letter == 112)
      return 113;
    const bool is_complex = function[0] == 'c' || function[0] == 'z';
    return function.find("syr") == 1 && is_complex && letter == 113 ? 112
                                                                    : letter;
  }
  std::mt19937 &random;
  const std::string function;
};

/// Small numbers whose sums are exact in any order. 1 and -1 alone: quotients,
/// too.
template <typename Real>
void fill(std::vector<double> &array, std::mt19937 &random, bool units) {
  Real *numbers = reinterpret_cast<Real *>(array.data());
  for (size_t i = 0; i < DOUBLES * sizeof(double) / sizeof(Real); ++i) {
    const int number = int(random() % 7) - 3;
    numbers[i] = units ? (number < 0 ? -1 : 1) : Real(number);
  }
}

inline std::vector<std::string> words(const char *text) {
  std::vector<std::string> all;
  std::string word;
  for (const char *at = text;; ++at) {
    if (*at && *at != ' ') {
      word += *at;
      continue;
    }
    all.push_back(word);
    word.clear();
    if (!*at)
      return all;
  }
}

inline bool is_single(const char *name) {
  const std::string text = std::string(name).substr(strlen("cblas_"));
  return strchr("sc", text[text.starts_with("ids") ? 1 : text[0] == 'i']) &&
         !text.starts_with("dsdot");
}

inline Call make_call(unsigned function, std::mt19937 &random) {
  Call call;
  const char *kinds = cublas_argument_kinds(function);
  const std::vector<std::string> names = words(cublas_argument_names(function));
  const bool is_level_1 = names[0] != "order";
  // Triangular systems divide by what is on the diagonal.
  const bool units = strstr(references[function].name, "sv") != nullptr ||
                     strstr(references[function].name, "trsm") != nullptr;
  Letters letters(random, references[function].name);
  call.arrays.reserve(names.size());
  call.numbers.reserve(1 + 2 * names.size());
  call.numbers.push_back(0);
  for (size_t i = 0; i < names.size(); ++i) {
    blas_argument argument = {};
    if (kinds[i] == 'i') {
      argument.integer = letters.integer(names[i], is_level_1);
    } else if (kinds[i] == 'a') {
      call.arrays.emplace_back(DOUBLES);
      if (is_single(references[function].name))
        fill<float>(call.arrays.back(), random, units);
      else
        fill<double>(call.arrays.back(), random, units);
      argument.array = reinterpret_cast<uintptr_t>(call.arrays.back().data());
    } else if (kinds[i] != 'r') {
      double *number = call.numbers.data() + call.numbers.size();
      call.numbers.resize(call.numbers.size() + 2);
      const float singles[2] = {float(letters.between(-2, 2)),
                                float(letters.between(-2, 2))};
      const double doubles[2] = {singles[0], singles[1]};
      if (strchr("sc", kinds[i]))
        memcpy(number, singles, sizeof singles);
      else
        memcpy(number, doubles, sizeof doubles);
      argument.number = number;
    }
    call.arguments.push_back(argument);
  }
  return call;
}

/// The same call on copies of its arrays.
inline Call copy_of(const Call &call, const char *kinds) {
  Call copy = call;
  for (size_t i = 0, array = 0; kinds[i]; ++i)
    if (kinds[i] == 'a')
      copy.arguments[i].array =
          reinterpret_cast<uintptr_t>(copy.arrays[array++].data());
  return copy;
}

inline std::string describe(const Call &call, const char *kinds) {
  std::string text;
  for (size_t i = 0; kinds[i]; ++i)
    if (kinds[i] == 'i')
      text += " " + std::to_string(call.arguments[i].integer);
  return text;
}

} // namespace gpuexec::blas

#endif
