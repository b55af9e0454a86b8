// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libclc's names for the functions of accuracy.def, in the places of <math.h>'s: OpenCL's overloads, mangled. For the
// comparison of bench/libm; the bitcode is /usr/lib/clc/amdgcn-amd-amdhsa.bc or nvptx64--.bc (libclc-22).
#include <math.h>
double _Z4sqrtd(double);
#undef sqrt
#define sqrt _Z4sqrtd
double _Z3expd(double);
#undef exp
#define exp _Z3expd
double _Z4exp2d(double);
#undef exp2
#define exp2 _Z4exp2d
double _Z5expm1d(double);
#undef expm1
#define expm1 _Z5expm1d
double _Z3logd(double);
#undef log
#define log _Z3logd
double _Z4log2d(double);
#undef log2
#define log2 _Z4log2d
double _Z5log10d(double);
#undef log10
#define log10 _Z5log10d
double _Z5log1pd(double);
#undef log1p
#define log1p _Z5log1pd
double _Z3sind(double);
#undef sin
#define sin _Z3sind
double _Z3cosd(double);
#undef cos
#define cos _Z3cosd
double _Z3tand(double);
#undef tan
#define tan _Z3tand
double _Z4asind(double);
#undef asin
#define asin _Z4asind
double _Z4acosd(double);
#undef acos
#define acos _Z4acosd
double _Z4atand(double);
#undef atan
#define atan _Z4atand
double _Z4sinhd(double);
#undef sinh
#define sinh _Z4sinhd
double _Z4coshd(double);
#undef cosh
#define cosh _Z4coshd
double _Z4tanhd(double);
#undef tanh
#define tanh _Z4tanhd
double _Z5asinhd(double);
#undef asinh
#define asinh _Z5asinhd
double _Z5acoshd(double);
#undef acosh
#define acosh _Z5acoshd
double _Z5atanhd(double);
#undef atanh
#define atanh _Z5atanhd
double _Z4cbrtd(double);
#undef cbrt
#define cbrt _Z4cbrtd
double _Z3erfd(double);
#undef erf
#define erf _Z3erfd
double _Z4erfcd(double);
#undef erfc
#define erfc _Z4erfcd
double _Z6tgammad(double);
#undef tgamma
#define tgamma _Z6tgammad
double _Z6lgammad(double);
#undef lgamma
#define lgamma _Z6lgammad
double _Z3powdd(double, double);
#undef pow
#define pow _Z3powdd
double _Z5atan2dd(double, double);
#undef atan2
#define atan2 _Z5atan2dd
double _Z5hypotdd(double, double);
#undef hypot
#define hypot _Z5hypotdd
float _Z4sqrtf(float);
#undef sqrtf
#define sqrtf _Z4sqrtf
float _Z3expf(float);
#undef expf
#define expf _Z3expf
float _Z4exp2f(float);
#undef exp2f
#define exp2f _Z4exp2f
float _Z5expm1f(float);
#undef expm1f
#define expm1f _Z5expm1f
float _Z3logf(float);
#undef logf
#define logf _Z3logf
float _Z4log2f(float);
#undef log2f
#define log2f _Z4log2f
float _Z5log10f(float);
#undef log10f
#define log10f _Z5log10f
float _Z5log1pf(float);
#undef log1pf
#define log1pf _Z5log1pf
float _Z3sinf(float);
#undef sinf
#define sinf _Z3sinf
float _Z3cosf(float);
#undef cosf
#define cosf _Z3cosf
float _Z3tanf(float);
#undef tanf
#define tanf _Z3tanf
float _Z4asinf(float);
#undef asinf
#define asinf _Z4asinf
float _Z4acosf(float);
#undef acosf
#define acosf _Z4acosf
float _Z4atanf(float);
#undef atanf
#define atanf _Z4atanf
float _Z4sinhf(float);
#undef sinhf
#define sinhf _Z4sinhf
float _Z4coshf(float);
#undef coshf
#define coshf _Z4coshf
float _Z4tanhf(float);
#undef tanhf
#define tanhf _Z4tanhf
float _Z5asinhf(float);
#undef asinhf
#define asinhf _Z5asinhf
float _Z5acoshf(float);
#undef acoshf
#define acoshf _Z5acoshf
float _Z5atanhf(float);
#undef atanhf
#define atanhf _Z5atanhf
float _Z4cbrtf(float);
#undef cbrtf
#define cbrtf _Z4cbrtf
float _Z3erff(float);
#undef erff
#define erff _Z3erff
float _Z4erfcf(float);
#undef erfcf
#define erfcf _Z4erfcf
float _Z6tgammaf(float);
#undef tgammaf
#define tgammaf _Z6tgammaf
float _Z6lgammaf(float);
#undef lgammaf
#define lgammaf _Z6lgammaf
float _Z3powff(float, float);
#undef powf
#define powf _Z3powff
float _Z5atan2ff(float, float);
#undef atan2f
#define atan2f _Z5atan2ff
float _Z5hypotff(float, float);
#undef hypotf
#define hypotf _Z5hypotff
