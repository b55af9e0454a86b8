static int x; void f(int n){
#pragma omp parallel
#pragma omp for reduction(+:x)
for(int i=0;i<n;++i) x+=i; } int g(void){return x;}
