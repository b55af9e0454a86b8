//===-- emulator/ptx/tests/ptx_test.h - PTX that runs in a test -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of PTX are compiled by gpuexec-ptx and run on the emulated gfx1100.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_PTX_TESTS_PTX_TEST_H
#define GPUEXEC_EMULATOR_PTX_TESTS_PTX_TEST_H

#define TEST_KERNELS ""
#include "emulator/hsa/tests/hsa_test.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <unistd.h>
#ifdef PTX_ON_HOST
#include "emulator/cuda/host/workers.h"
#endif

using Words = std::vector<uint64_t>;

/// One instruction, or a few, and what they compute. In the text $d is the
/// result, $a, $b and $c the operands; $p to $s are predicates (true if a, b,
/// c is odd), and $t to $w registers of the operands' width.
struct Row {
  std::string text;
  unsigned result_bits, operand_bits;
  /// Of the operands' bits, zero-extended: the result's.
  std::function<uint64_t(uint64_t a, uint64_t b, uint64_t c)> wanted;
  /// 'i': bits must be equal; 'h', 'f', 'd' (half to double): or two NaNs.
  char kind = 'i';
  /// Of a float or double: what the result may be off by, relative to it.
  double relative = 0;
  double absolute = 0;
};

/// A kernel that reads 3 numbers of 64 bits for each thread and writes one.
inline std::string kernel_text(const std::string &name, const Row &row) {
  auto prefix = [](unsigned bits) {
    return bits == 64 ? "%rd" : bits == 32 ? "%r" : bits == 16 ? "%h" : "%p";
  };
  std::string body;
  const std::string in = prefix(row.operand_bits);
  for (size_t at = 0; at < row.text.size(); ++at) {
    if (row.text[at] != '$') {
      body += row.text[at];
      continue;
    }
    char c = row.text[++at];
    if (c == 'd')
      body += std::string(prefix(row.result_bits)) + "10";
    else if (c <= 'c')
      body += in + std::to_string(11 + c - 'a');
    else if (c >= 'p' && c <= 's')
      body += "%p" + std::to_string(11 + c - 'p');
    else
      body += in + std::to_string(14 + c - 't');
  }
  std::string text = ".visible .entry " + name +
                     "(.param .u64 in, .param .u64 out)\n{\n"
                     ".reg .pred %p<20>;\n.reg .b16 %h<20>;\n"
                     ".reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n"
                     "ld.param.u64 %rd0, [in];\nld.param.u64 %rd1, [out];\n"
                     "mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ntid.x;\n"
                     "mov.u32 %r2, %tid.x;\nmad.lo.u32 %r0, %r0, %r1, %r2;\n"
                     "mul.wide.u32 %rd2, %r0, 24;\nadd.u64 %rd2, %rd2, %rd0;\n"
                     "mul.wide.u32 %rd3, %r0, 8;\nadd.u64 %rd3, %rd3, %rd1;\n";
  for (int n = 0; n < 3; ++n) {
    std::string number = std::to_string(11 + n), at = std::to_string(8 * n);
    std::string low = std::to_string(4 + n);
    text += "ld.global.b" + std::to_string(row.operand_bits) + " " + in +
            number + ", [%rd2+" + at + "];\n" + "ld.global.b32 %r" + low +
            ", [%rd2+" + at + "];\nand.b32 %r" + low + ", %r" + low +
            ", 1;\nsetp.ne.u32 %p" + number + ", %r" + low + ", 0;\n";
  }
  text += body + "\n";
  if (row.result_bits == 1)
    text += "selp.b64 %rd10, 1, 0, %p10;\n";
  if (row.result_bits == 32)
    text += "cvt.u64.u32 %rd10, %r10;\n";
  if (row.result_bits == 16)
    text += "cvt.u64.u16 %rd10, %h10;\n";
  return text + "st.global.b64 [%rd3], %rd10;\nret;\n}\n";
}

/// Numbers at the edges of `bits` bits, and some between.
inline Words edges(unsigned bits) {
  uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  uint64_t top = uint64_t(1) << (bits - 1);
  Words all = {0,
               1,
               2,
               3,
               7,
               8,
               15,
               16,
               30,
               31,
               32,
               33,
               63,
               64,
               65,
               255,
               top,
               top - 1,
               top + 1,
               mask,
               mask - 1,
               top / 2,
               1000,
               0x1234567,
               0xfedcba9876543210,
               0x8421a5c3f00f1331};
  if (bits == 16)
    for (uint64_t x : {0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x0001, 0x8001,
                       0x03ff, 0x0400, 0x4000, 0x3555, 0x7bff})
      all.push_back(x);
  if (bits == 32)
    for (uint64_t x :
         {0x3f800000u, 0xbf800000u, 0x7f800000u, 0xff800000u, 0x7fc00000u,
          0x00000001u, 0x80000001u, 0x007fffffu, 0x00800000u, 0x80800000u,
          0x3fc00000u, 0xc0200000u, 0x7f7fffffu, 0x4f000000u, 0xcf000000u,
          0x3eaaaaabu, 0x40490fdbu, 0x4effffffu, 0x41c80001u, 0x33800000u})
      all.push_back(x);
  if (bits == 64)
    for (uint64_t x :
         {0x3ff0000000000000u, 0xbff0000000000000u, 0x7ff0000000000000u,
          0xfff0000000000000u, 0x7ff8000000000000u, 0x000fffffffffffffu,
          0x0010000000000000u, 0x3ff8000000000000u, 0xc004000000000000u,
          0x7fefffffffffffffu, 0x43e0000000000000u, 0xc3e0000000000000u,
          0x41e0000000000000u, 0x3fd5555555555555u, 0x36a0000000000000u,
          0x47efffffe0000000u, 0x3f50624dd2f1a9fcu})
      all.push_back(x);
  for (uint64_t &x : all)
    x &= mask;
  return all;
}

class Ptx : public HsaKernels {
protected:
  void SetUp() override {
    Hsa::SetUp();
    for (hsa_agent_t agent : gpus) {
      char name[64];
      ASSERT_HSA(hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, name));
      if (std::string(name) == "gfx1100")
        gpu = agent;
    }
    coarse = pool(gpu, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED);
    make_queue();
  }

  /// Compiles and loads a module, whose header is put before it.
  void load_text(const std::string &text) {
    std::string base = testing::TempDir() + "/ptx-" + std::to_string(getpid());
    {
      std::ofstream file(base + ".ptx");
      file << ".version 8.0\n.target sm_90\n.address_size 64\n" << text;
    }
    std::string command = std::string(PTX_TOOL) + " --processor gfx1100 -o " +
                          base + ".co " + base + ".ptx";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    std::ifstream file(base + ".co", std::ios::binary);
    image.assign(std::istreambuf_iterator<char>(file), {});
    load_kernels();
#ifdef PTX_ON_HOST
    load_host(base);
#endif
    std::remove((base + ".ptx").c_str());
    std::remove((base + ".co").c_str());
  }

#ifdef PTX_ON_HOST
  void load_host(const std::string &base) {
    const std::string command =
        std::string(PTX_TOOL) + " --host -o " + base + ".so " + base + ".ptx";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    std::ifstream file(base + ".so", std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    std::remove((base + ".so").c_str());
    std::string problem;
    library = gpuexec::cuda::host::Library::open(bytes, problem);
    ASSERT_TRUE(library) << problem;
    for (uint32_t at = 0; at < library->table().variable_count; ++at)
      library->variables[at] = reinterpret_cast<void *>(
          info<uint64_t>(library->table().variables[at],
                         HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS));
  }

  /// Runs a kernel that is fit for it as host code, others as waves.
  int64_t run(const std::string &kernel, uint32_t threads, uint32_t blocks,
              std::vector<uint64_t> arguments) {
    const auto *host = library->find(kernel);
    EXPECT_TRUE(host) << kernel;
    if (!host || host->unfit)
      return HsaKernels::run(kernel, threads, blocks, arguments);
    gpuexec::cuda::host::Grid grid;
    grid.kernel = host;
    grid.arguments = reinterpret_cast<const uint8_t *>(arguments.data());
    grid.variables = library->variables.data();
    grid.blocks = {blocks, 1, 1};
    grid.threads = {threads, 1, 1};
    const auto ending = gpuexec::cuda::host::run_grid(grid);
    return ending.outcome == gpuexec::cuda::host::Outcome::done ? 0 : -1;
  }
#endif

  /// One result for each three numbers of `input`.
  Words results(const std::string &kernel, const Words &input,
                uint32_t threads) {
    uint32_t count = uint32_t(input.size() / 3);
    uint32_t blocks = (count + threads - 1) / threads;
    auto *in = allocate<uint64_t>(coarse, blocks * threads * 3);
    std::copy(input.begin(), input.end(), in);
    auto *out = allocate<uint64_t>(coarse, blocks * threads);
    EXPECT_EQ(run(kernel, threads, blocks, {bits(in), bits(out)}), 0)
        << report();
    Words found(out, out + count);
#ifdef PTX_ON_HOST
    std::fill(out, out + count, 0);
    EXPECT_EQ(HsaKernels::run(kernel, threads, blocks, {bits(in), bits(out)}),
              0);
    for (uint32_t n = 0, wrong = 0; n < count && wrong < 4; ++n)
      if (!same_number(found[n], out[n]) && ++wrong)
        ADD_FAILURE() << kernel << ", thread " << n << std::hex << ": host "
                      << found[n] << ", waves " << out[n] << "; of "
                      << input[3 * n] << ", " << input[3 * n + 1] << ", "
                      << input[3 * n + 2];
#endif
    hsa_amd_memory_pool_free(in);
    hsa_amd_memory_pool_free(out);
    return found;
  }

  /// Runs every row with each two of its edges (and a third that goes around),
  /// and compares with the host.
  void check(const std::vector<Row> &rows) {
    std::string text;
    for (size_t n = 0; n < rows.size(); ++n)
      text += kernel_text("k" + std::to_string(n), rows[n]);
    ASSERT_NO_FATAL_FAILURE(load_text(text));
    for (size_t n = 0; n < rows.size(); ++n)
      check_row("k" + std::to_string(n), rows[n]);
  }

#ifdef PTX_ON_HOST
  /// Which NaN it is, PTX leaves open.
  bool same_number(uint64_t a, uint64_t b) const {
    return a == b || (kind != 'i' && std::isnan(as_double(kind, a)) &&
                      std::isnan(as_double(kind, b)));
  }
  std::shared_ptr<gpuexec::cuda::host::Library> library;
#endif
  char kind = 'i'; ///< of the results of the kernel that runs

private:
  void check_row(const std::string &kernel, const Row &row) {
    Words numbers = edges(row.operand_bits), input;
    size_t third = 0;
    for (uint64_t a : numbers)
      for (uint64_t b : numbers)
        input.insert(input.end(),
                     {a, b, numbers[(third += 5) % numbers.size()]});
    kind = row.kind;
    Words found = results(kernel, input, 256);
    kind = 'i';
    unsigned wrong = 0;
    for (size_t n = 0; n < found.size() && wrong < 4; ++n) {
      uint64_t *x = &input[3 * n];
      uint64_t wanted = row.wanted(x[0], x[1], x[2]);
      if (equal(row, found[n], wanted))
        continue;
      ++wrong;
      ADD_FAILURE() << row.text << std::hex << "\n  of " << x[0] << ", " << x[1]
                    << ", " << x[2] << ": " << found[n] << ", wanted "
                    << wanted;
    }
  }

  static bool equal(const Row &row, uint64_t found, uint64_t wanted) {
    if (found == wanted)
      return true;
    if (row.kind == 'i')
      return false;
    double x = as_double(row.kind, found), y = as_double(row.kind, wanted);
    if (std::isnan(x) || std::isnan(y))
      return std::isnan(x) && std::isnan(y);
    return std::fabs(x - y) <=
           std::max(row.absolute, row.relative * std::fabs(y));
  }

  static double as_double(char kind, uint64_t bits) {
    if (kind == 'h') {
      uint16_t half = uint16_t(bits);
      _Float16 value;
      memcpy(&value, &half, 2);
      return double(value);
    }
    if (kind == 'f') {
      uint32_t word = uint32_t(bits);
      float value;
      memcpy(&value, &word, 4);
      return value;
    }
    double value;
    memcpy(&value, &bits, 8);
    return value;
  }
};

/// The bits of a number of another type.
template <typename T> T as(uint64_t bits) {
  T value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
template <typename T> uint64_t to_bits(T value) {
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof value);
  return bits;
}

#endif
