unsigned x[64]; void f(int n){
#pragma omp parallel
#pragma omp for reduction(+:x)
for(int i=0;i<n;++i) x[i&63]+=i; } unsigned g(void){return x[3];}
