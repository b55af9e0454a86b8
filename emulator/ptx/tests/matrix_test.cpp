// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices of a warp: mma with the fragments that PTX documents, ldmatrix and
// its like, wmma through memory. Elements are small integers, so that sums are
// exact in every type.
#include "emulator/ptx/tests/ptx_test.h"

#include <random>

namespace {

using u32 = uint32_t;

/// An element's bits in a type that mma multiplies or adds.
u32 code(const std::string &type, int value) {
  if (type == "f16")
    return u32(to_bits(_Float16(value)));
  if (type == "bf16")
    return u32(to_bits(float(value))) >> 16;
  if (type == "tf32" || type == "f32")
    return u32(to_bits(float(value)));
  return u32(value);
}

struct Product {
  std::string text;       ///< the instruction up to its operands
  std::string a, b, c, d; ///< types
  unsigned bits, m, k;    ///< of a and b; n is 8
  int least, most;        ///< of elements
};

class PtxMatrices : public Ptx {
protected:
  /// Each lane has 12 words (4 of a, 2 of b, 4 of c); returns 4 words for each.
  std::vector<u32> run_lanes(const std::string &kernel,
                             const std::vector<u32> &input) {
    auto *in = allocate<u32>(coarse, input.size());
    std::copy(input.begin(), input.end(), in);
    auto *out = allocate<u32>(coarse, 32 * 4);
    EXPECT_EQ(run(kernel, 32, 1, {bits(in), bits(out)}), 0) << report();
    return {out, out + 32 * 4};
  }

  static std::string text_of(const std::string &name, const Product &p) {
    std::string text = ".visible .entry " + name +
                       "(.param .u64 in, .param .u64 out)\n{\n"
                       ".reg .b32 %r<24>; .reg .b64 %rd<4>;\n"
                       "ld.param.u64 %rd0, [in];\nld.param.u64 %rd1, [out];\n"
                       "mov.u32 %r20, %tid.x;\nmul.wide.u32 %rd2, %r20, 48;\n"
                       "add.u64 %rd0, %rd0, %rd2;\n"
                       "mul.wide.u32 %rd2, %r20, 16;\n"
                       "add.u64 %rd1, %rd1, %rd2;\n";
    for (unsigned n = 0; n < 10; ++n)
      text += "ld.global.u32 %r" + std::to_string(n) + ", [%rd0+" +
              std::to_string(4 * n) + "];\n";
    unsigned blocks = p.k * p.bits / 128, rows = p.m / 8;
    unsigned c = rows * 2 / (p.c == "f16" ? 2 : 1);
    unsigned d = rows * 2 / (p.d == "f16" ? 2 : 1);
    text += p.text + " " + list(10, d) + ", " + list(0, blocks * rows) + ", " +
            list(4, blocks) + ", " + list(6, c) + ";\n";
    for (unsigned n = 0; n < d; ++n)
      text += "st.global.u32 [%rd1+" + std::to_string(4 * n) + "], %r" +
              std::to_string(10 + n) + ";\n";
    return text + "ret;\n}\n";
  }

  void check_products(const std::vector<Product> &rows) {
    std::string text;
    for (unsigned n = 0; n < rows.size(); ++n)
      text += text_of("k" + std::to_string(n), rows[n]);
    ASSERT_NO_FATAL_FAILURE(load_text(text));
    for (unsigned n = 0; n < rows.size(); ++n)
      check_product("k" + std::to_string(n), rows[n]);
  }

private:
  static std::string list(unsigned first, unsigned count) {
    std::string text = "{";
    for (unsigned n = 0; n < count; ++n)
      text += (n ? ", %r" : "%r") + std::to_string(first + n);
    return text + "}";
  }

  static int random_in(std::mt19937 &random, int least, int most) {
    return least + int(random() % unsigned(most - least + 1));
  }

  void check_product(const std::string &kernel, const Product &p) {
    std::mt19937 random(11);
    int a[16][256], b[256][8], c[16][8];
    for (unsigned k = 0; k < p.k; ++k) {
      for (unsigned row = 0; row < p.m; ++row)
        a[row][k] = random_in(random, p.a[0] == 'u' ? 0 : p.least, p.most);
      for (unsigned n = 0; n < 8; ++n)
        b[k][n] = random_in(random, p.b[0] == 'u' ? 0 : p.least, p.most);
    }
    for (auto &row : c)
      for (int &x : row)
        x = random_in(random, -9, 9);
    // The documented fragments: a lane's group is lane / 4.
    std::vector<u32> input(32 * 12);
    const unsigned each = 32 / p.bits, rows = p.m / 8;
    const u32 mask = p.bits == 32 ? ~0u : (1u << p.bits) - 1;
    for (unsigned lane = 0; lane < 32; ++lane) {
      unsigned group = lane / 4, in_group = lane % 4;
      u32 *words = &input[lane * 12];
      for (unsigned block = 0; block < p.k * p.bits / 128; ++block)
        for (unsigned e = 0; e < each; ++e) {
          unsigned k = block * 4 * each + in_group * each + e;
          for (unsigned half = 0; half < rows; ++half)
            words[block * rows + half] |=
                (code(p.a, a[group + 8 * half][k]) & mask) << (e * p.bits);
          words[4 + block] |= (code(p.b, b[k][group]) & mask) << (e * p.bits);
        }
      for (unsigned n = 0; n < 2 * rows; ++n) {
        int x = c[group + n / 2 * 8][in_group * 2 + n % 2];
        if (p.c == "f16")
          words[6 + n / 2] |= code("f16", x) << (16 * (n % 2));
        else
          words[6 + n] = code(p.c, x);
      }
    }
    std::vector<u32> found = run_lanes(kernel, input);
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned n = 0; n < 2 * rows; ++n) {
        unsigned row = lane / 4 + n / 2 * 8, column = lane % 4 * 2 + n % 2;
        int wanted = c[row][column];
        for (unsigned k = 0; k < p.k; ++k)
          wanted += p.text.find("xor") != std::string::npos
                        ? a[row][k] != b[k][column]
                        : a[row][k] * b[k][column];
        u32 bits = p.d == "f16"
                       ? found[lane * 4 + n / 2] >> (16 * (n % 2)) & 0xffff
                       : found[lane * 4 + n];
        ASSERT_EQ(bits, code(p.d, wanted))
            << p.text << " row " << row << " column " << column;
      }
  }
};

TEST_F(PtxMatrices, ProductsOfEveryType) {
  check_products({
      {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "f16", "f16", "f32",
       "f32", 16, 16, 16, -9, 9},
      {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "f16", "f16", "f16",
       "f16", 16, 16, 16, -9, 9},
      {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", "f16", "f16", "f32",
       "f32", 16, 16, 8, -9, 9},
      {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "bf16", "bf16",
       "f32", "f32", 16, 16, 16, -9, 9},
      {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "tf32", "tf32",
       "f32", "f32", 32, 16, 8, -9, 9},
      {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", "tf32", "tf32",
       "f32", "f32", 32, 16, 4, -9, 9},
      {"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "s8", "s8", "s32",
       "s32", 8, 16, 32, -128, 127},
      {"mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32", "u8", "s8", "s32",
       "s32", 8, 16, 32, -128, 127},
      {"mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.u8.s32", "s8", "u8",
       "s32", "s32", 8, 16, 16, -128, 127},
      {"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", "s8", "s8", "s32",
       "s32", 8, 8, 16, -128, 127},
      {"mma.sync.aligned.m16n8k64.row.col.s32.s4.u4.s32", "s4", "u4", "s32",
       "s32", 4, 16, 64, -8, 7},
      {"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc", "u1", "u1",
       "s32", "s32", 1, 8, 128, 0, 1},
      {"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc", "u1", "u1",
       "s32", "s32", 1, 16, 256, 0, 1},
  });
}

/// Lane n puts 32n + {0, 1} to 32n + {30, 31} into a row of 16 bytes for each
/// of four matrices, and reads them in another order.
TEST_F(PtxMatrices, LoadsAndTransposes) {
  std::string begin = R"((.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<24>; .reg .b64 %rd<4>;
  .shared .align 16 .b8 tile[512];
  ld.param.u64 %rd1, [out];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %rd2, %r0, 16;
  add.u64 %rd1, %rd1, %rd2;
  shl.b32 %r1, %r0, 4;
  mov.u32 %r2, tile;
  add.u32 %r1, %r1, %r2;
  mul.lo.u32 %r3, %r0, 0x00080008;
  add.u32 %r3, %r3, 0x00010000;
  st.shared.u32 [%r1], %r3;
  add.u32 %r3, %r3, 0x00020002;
  st.shared.u32 [%r1+4], %r3;
  add.u32 %r3, %r3, 0x00020002;
  st.shared.u32 [%r1+8], %r3;
  add.u32 %r3, %r3, 0x00020002;
  st.shared.u32 [%r1+12], %r3;
  bar.sync 0;
)";
  std::string end = R"(
  st.global.v4.u32 [%rd1], {%r10, %r11, %r12, %r13};
  ret;
})";
  load_text(
      ".visible .entry plain" + begin +
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, "
      "[%r1];" +
      end + ".visible .entry turned" + begin +
      "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r10, %r11, %r12, "
      "%r13}, [%r1];" +
      end + ".visible .entry moved" + begin +
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, "
      "[%r1];\n"
      "movmatrix.sync.aligned.m8n8.trans.b16 %r10, %r10;\n"
      "movmatrix.sync.aligned.m8n8.trans.b16 %r11, %r11;\n"
      "movmatrix.sync.aligned.m8n8.trans.b16 %r12, %r12;\n"
      "movmatrix.sync.aligned.m8n8.trans.b16 %r13, %r13;" +
      end + ".visible .entry stored" + begin +
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, "
      "[%r1];\nbar.sync 0;\n"
      "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%r1], {%r10, %r11, "
      "%r12, %r13};\nbar.sync 0;\n"
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, "
      "[%r1];" +
      end);
  for (const char *kernel : {"plain", "turned", "moved", "stored"}) {
    std::vector<u32> found = run_lanes(kernel, std::vector<u32>(32));
    bool turned = kernel != std::string("plain");
    for (u32 lane = 0; lane < 32; ++lane)
      for (u32 matrix = 0; matrix < 4; ++matrix)
        for (u32 part = 0; part < 2; ++part) {
          u32 row = lane / 4, column = lane % 4 * 2 + part;
          if (turned)
            std::swap(row, column);
          ASSERT_EQ(found[lane * 4 + matrix] >> 16 * part & 0xffff,
                    (8 * matrix + row) * 8 + column)
              << kernel << " lane " << lane << " matrix " << matrix;
        }
  }
}

struct Fragments {
  std::string shape, a_layout, b_layout, d_layout;
  std::string type, sum;           ///< of a and b, of c and d
  unsigned m, n, k, a, b, c, size; ///< registers; bytes of an element
};

class PtxFragments : public PtxMatrices {
protected:
  static std::string registers(const char *prefix, unsigned count) {
    std::string text = "{";
    for (unsigned n = 0; n < count; ++n)
      text += (n ? ", " : "") + (prefix + std::to_string(n));
    return text + "}";
  }

  static std::string text_of(const std::string &name, const Fragments &f) {
    std::string types = f.type == "f16" ? f.sum + "." + f.sum
                        : f.type == "f64"
                            ? "rn.f64.f64.f64.f64"
                            : f.sum + "." + f.type + "." + f.type + "." + f.sum;
    const char *width = f.type == "f64" ? "b64" : "b32";
    std::string A = registers("%a", f.a), B = registers("%b", f.b),
                C = registers("%c", f.c);
    unsigned a_stride = f.a_layout == "row" ? f.k : f.m;
    unsigned b_stride = f.b_layout == "row" ? f.n : f.k;
    unsigned c_stride = f.d_layout == "row" ? f.n : f.m;
    return ".visible .entry " + name +
           "(.param .u64 a, .param .u64 b, .param .u64 c)\n{\n.reg ." + width +
           " %a<8>, %b<8>, %c<8>; .reg .b64 %rd<4>;\n"
           "ld.param.u64 %rd0, [a];\nld.param.u64 %rd1, [b];\n"
           "ld.param.u64 %rd2, [c];\n"
           "wmma.load.a.sync.aligned." +
           f.a_layout + "." + f.shape + ".global." + f.type + " " + A +
           ", [%rd0], " + std::to_string(a_stride) +
           ";\nwmma.load.b.sync.aligned." + f.b_layout + "." + f.shape +
           ".global." + f.type + " " + B + ", [%rd1], " +
           std::to_string(b_stride) + ";\nwmma.load.c.sync.aligned." +
           f.d_layout + "." + f.shape + ".global." + f.sum + " " + C +
           ", [%rd2], " + std::to_string(c_stride) +
           ";\nwmma.mma.sync.aligned." + f.a_layout + "." + f.b_layout + "." +
           f.shape + "." + types + " " + C + ", " + A + ", " + B + ", " + C +
           ";\nwmma.store.d.sync.aligned." + f.d_layout + "." + f.shape +
           ".global." + f.sum + " [%rd2], " + C + ";\nret;\n}\n";
  }

  /// An element of memory in `bytes` bytes.
  static void put(uint8_t *at, const std::string &type, int value) {
    if (type == "f64") {
      double x = value;
      memcpy(at, &x, 8);
      return;
    }
    u32 bits = code(type, value);
    memcpy(at, &bits, size_of(type));
  }
  static unsigned size_of(const std::string &type) {
    return type == "f64"                     ? 8
           : type == "f16" || type == "bf16" ? 2
           : type == "s8" || type == "u8"    ? 1
                                             : 4;
  }

  void check_fragments(const std::string &kernel, const Fragments &f) {
    std::mt19937 random(13);
    auto *a = allocate<uint8_t>(coarse, 8192);
    auto *b = allocate<uint8_t>(coarse, 8192);
    auto *c = allocate<uint8_t>(coarse, 8192);
    std::vector<int> left(f.m * f.k), right(f.k * f.n), sum(f.m * f.n);
    auto index = [](const std::string &layout, unsigned row, unsigned column,
                    unsigned rows, unsigned columns) {
      return layout == "row" ? row * columns + column : column * rows + row;
    };
    for (unsigned row = 0; row < f.m; ++row)
      for (unsigned k = 0; k < f.k; ++k)
        put(a + size_of(f.type) * index(f.a_layout, row, k, f.m, f.k), f.type,
            left[row * f.k + k] = int(random() % 17));
    for (unsigned k = 0; k < f.k; ++k)
      for (unsigned column = 0; column < f.n; ++column)
        put(b + size_of(f.type) * index(f.b_layout, k, column, f.k, f.n),
            f.type, right[k * f.n + column] = int(random() % 9));
    for (unsigned row = 0; row < f.m; ++row)
      for (unsigned column = 0; column < f.n; ++column)
        put(c + size_of(f.sum) * index(f.d_layout, row, column, f.m, f.n),
            f.sum, sum[row * f.n + column] = int(random() % 99));
    ASSERT_EQ(run(kernel, 32, 1, {bits(a), bits(b), bits(c)}), 0) << report();
    for (unsigned row = 0; row < f.m; ++row)
      for (unsigned column = 0; column < f.n; ++column) {
        int wanted = sum[row * f.n + column];
        for (unsigned k = 0; k < f.k; ++k)
          wanted += left[row * f.k + k] * right[k * f.n + column];
        uint8_t bytes[8] = {};
        put(bytes, f.sum, wanted);
        ASSERT_EQ(memcmp(c + size_of(f.sum) *
                                 index(f.d_layout, row, column, f.m, f.n),
                         bytes, size_of(f.sum)),
                  0)
            << f.shape << " " << f.a_layout << " " << f.b_layout << " "
            << f.type << " row " << row << " column " << column;
      }
  }
};

TEST_F(PtxFragments, Wmma) {
  std::vector<Fragments> rows = {
      {"m16n16k16", "row", "col", "row", "f16", "f32", 16, 16, 16, 8, 8, 8, 2},
      {"m16n16k16", "col", "row", "col", "f16", "f32", 16, 16, 16, 8, 8, 8, 2},
      {"m16n16k16", "row", "row", "row", "f16", "f16", 16, 16, 16, 8, 8, 4, 2},
      {"m32n8k16", "row", "col", "row", "f16", "f32", 32, 8, 16, 8, 8, 8, 2},
      {"m8n32k16", "col", "col", "row", "f16", "f32", 8, 32, 16, 8, 8, 8, 2},
      {"m16n16k16", "row", "col", "row", "bf16", "f32", 16, 16, 16, 4, 4, 8, 2},
      {"m32n8k16", "row", "row", "row", "bf16", "f32", 32, 8, 16, 8, 2, 8, 2},
      {"m16n16k8", "row", "col", "row", "tf32", "f32", 16, 16, 8, 4, 4, 8, 4},
      {"m16n16k16", "row", "col", "row", "s8", "s32", 16, 16, 16, 2, 2, 8, 1},
      {"m8n32k16", "row", "row", "col", "u8", "s32", 8, 32, 16, 1, 4, 8, 1},
      {"m8n8k4", "row", "col", "row", "f64", "f64", 8, 8, 4, 1, 1, 2, 8},
  };
  std::string text;
  for (unsigned n = 0; n < rows.size(); ++n)
    text += text_of("k" + std::to_string(n), rows[n]);
  ASSERT_NO_FATAL_FAILURE(load_text(text));
  for (unsigned n = 0; n < rows.size(); ++n)
    check_fragments("k" + std::to_string(n), rows[n]);
}

/// 16 bytes now, and 16 of which 6 are read.
TEST_F(PtxMatrices, CopiesAsynchronously) {
  load_text(".shared .align 16 .b8 tile[1024];\n" +
            kernel_text("k", {R"(
      mov.u32 %r4, %tid.x;
      mul.lo.u32 %r5, %r4, 24;
      and.b64 %rd5, %rd2, -16;
      and.b32 %r4, %r4, 31;
      shl.b32 %r5, %r4, 5;
      mov.u32 %r6, tile;
      add.u32 %r5, %r5, %r6;
      cp.async.cg.shared.global [%r5], [%rd5], 16;
      cp.async.ca.shared.global [%r5+16], [%rd5], 16, 6;
      cp.async.commit_group;
      cp.async.wait_group 0;
      ld.shared.b64 %rd6, [%r5+8];
      ld.shared.b64 %rd7, [%r5+16];
      ld.shared.b64 %rd8, [%r5+24];
      xor.b64 %rd6, %rd6, %rd7;
      add.u64 $d, %rd6, %rd8;)",
                              64, 64, nullptr}));
  Words input;
  for (unsigned n = 0; n < 96; ++n)
    input.push_back(0x0123456789abcdef * (n + 1));
  Words found = results("k", input, 32);
  for (unsigned n = 0; n < found.size(); ++n) {
    unsigned first = n * 3 / 2 * 2; // of 16 bytes
    ASSERT_EQ(found[n], input[first + 1] ^ (input[first] & 0xffffffffffff))
        << n;
  }
}

} // namespace
