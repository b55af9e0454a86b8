struct s{double a,b;}; static struct s x; 
#pragma omp declare reduction(add:struct s: omp_out.a+=omp_in.a, omp_out.b+=omp_in.b) initializer(omp_priv=(struct s){0,0})
void f(int n){
#pragma omp parallel for reduction(add:x)
for(int i=0;i<n;++i) x.b+=i; } double g(void){return x.a;}
