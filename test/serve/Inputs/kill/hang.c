volatile int never;
int main(void) {
  while (!never)
    ;
}
