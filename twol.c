int f(int n){ int x=0,y=0;
#pragma omp parallel
{
#pragma omp for reduction(+:x) nowait
for(int i=0;i<n;++i) x+=i;
#pragma omp for reduction(+:y)
for(int i=0;i<n;++i) y+=i; } return x+y;}
