#include <complex.h>
static double complex x; void f(int n){
#pragma omp parallel for reduction(+:x)
for(int i=0;i<n;++i) x+=i; } double g(void){return creal(x);}
