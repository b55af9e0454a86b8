void f(int n,unsigned*x,unsigned*y){
#pragma omp parallel
{
#pragma omp for reduction(+:x[:32]) nowait
for(int i=0;i<n;++i) x[i&31]+=i;
#pragma omp for reduction(+:y[:32])
for(int i=0;i<n;++i) y[i&31]+=i; }}
