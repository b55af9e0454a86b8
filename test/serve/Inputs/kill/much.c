#include <stdio.h>
int main(void) {
  for (int i = 1; i <= 20000; ++i)
    printf("%d\n", i);
}
