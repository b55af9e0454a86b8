static int x,y; void f(int n){
#pragma omp parallel
{
#pragma omp for reduction(+:x) nowait
for(int i=0;i<n;++i) x+=i;
#pragma omp for reduction(+:y)
for(int i=0;i<n;++i) y+=i; }} unsigned g(void){return x+y;}
