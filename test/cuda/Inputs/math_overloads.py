#!/usr/bin/env python3
"""math_overloads.py: a CUDA program that calls each function of <cmath> in device code with float, double and int.

Without a definition a call does not link. A call with float must give what C's function of that name with an f gives; the program
prints how many do not.
"""

ONE = """acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor lgamma log log10 log1p log2 logb
nearbyint rint round sin sinh sqrt tan tanh tgamma trunc ilogb lrint llrint lround llround""".split()
TWO = "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder".split()
CLASSES = "isnan isinf isfinite signbit".split()

SAME = "  if (__float_as_int(float({0})) != __float_as_int(float({1}))) { ++wrong; printf(\"%s\\n\", \"{0}\"); }"


def main():
    calls, checks = [], []
    for space in ("", "std::"):
        for name in ONE + CLASSES:
            calls += ["%s%s(%s)" % (space, name, argument) for argument in ("x", "d", "i")]
        for name in TWO:
            calls += ["%s%s(%s)" % (space, name, both) for both in ("x, x", "d, d", "x, d", "i, x", "d, i", "i, i")]
        calls += [space + call for call in ("fma(d, d, d)", "ldexp(d, 2)", "scalbn(d, 2)", "abs(x)", "abs(d)", "abs(3l)", "abs(3ll)", "frexp(d, &e)")]
        checks += [(space + name + "(x)", "::" + name + "f(x)") for name in ONE]
        checks += [(space + name + "(x, y)", "::" + name + "f(x, y)") for name in TWO]
        checks += [(space + call, "::" + other) for call, other in (
            ("fma(x, y, x)", "fmaf(x, y, x)"), ("ldexp(x, 2)", "ldexpf(x, 2)"), ("scalbn(x, 2)", "scalbnf(x, 2)"),
            ("scalbln(x, 2l)", "scalblnf(x, 2l)"), ("frexp(x, &e)", "frexpf(x, &e)"), ("modf(x, &f)", "modff(x, &f)"),
            ("remquo(x, y, &e)", "remquof(x, y, &e)"))]
    print("#include <cmath>\n#include <complex>\n#include <type_traits>")
    print("__global__ void calls(double *r, float x, double d, int i) {\n  int e;")
    for call in calls:
        print("  *r += double(%s);" % call)
    print("}\n__device__ int wrong;\n__global__ void checks(float x, float y) {\n  int e;\n  float f;")
    for call, other in checks:
        print("  static_assert(std::is_same<decltype(%s), decltype(%s)>::value, \"\");" % (call, other))
        print(SAME.replace("{0}", call).replace("{1}", other))
    print("""}
int main() {
  double *r;
  int count = -1;
  cudaMallocManaged(&r, sizeof(*r));
  calls<<<1, 1>>>(r, .5f, .25, 1);
  checks<<<1, 1>>>(1.25f, .75f);
  checks<<<1, 1>>>(.3f, 1.7f);
  cudaDeviceSynchronize();
  cudaMemcpyFromSymbol(&count, wrong, sizeof(count));
  printf("%d wrong, %s\\n", count, cudaGetErrorString(cudaGetLastError()));
}""")


if __name__ == "__main__":
    main()
