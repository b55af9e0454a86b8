// Pointers that keep their target's distance from themselves, on the stack: the distance to the heap and to global variables has more
// bits than an address of the stack. InferAddressSpaces cuts off the upper half of an address that is only compared.
// RUN: %python %S/inputs/as_natively.py %s -o %t --gpucxx '%gpucxx' --run '%run'
#include <cstdint>
#include <cstdio>
#include <ext/extptr_allocator.h>
#include <vector>

template <typename T> class Relative {
  uintptr_t _distance;

public:
  Relative(T *target) { set(target); }
  Relative(const Relative &other) { set(other.get()); }
  Relative &operator=(const Relative &other) {
    set(other.get());
    return *this;
  }
  void set(T *target) { _distance = target ? reinterpret_cast<uintptr_t>(target) - reinterpret_cast<uintptr_t>(this) : 1; }
  T *get() const { return _distance == 1 ? nullptr : reinterpret_cast<T *>(reinterpret_cast<uintptr_t>(this) + _distance); }
  bool operator==(const Relative &other) const { return get() == other.get(); }
  bool operator<(const Relative &other) const { return get() < other.get(); }
  Relative operator+(int n) const { return get() + n; }
  T &operator*() const { return *get(); }
};

static int numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};

static int sum(Relative<int> from, Relative<int> to) {
  int all = 0;
  for (; !(from == to); from = from + 1)
    all += *from;
  return all;
}

static int hash(const Relative<int> &pointer, const int *target) {
  // The address as a number, of which only some bits are looked at.
  return (reinterpret_cast<uintptr_t>(pointer.get()) >> 33 == reinterpret_cast<uintptr_t>(target) >> 33);
}

int main(int count, char **) {
  Relative<int> first(numbers), null(nullptr);
  const Relative<int> last = first + 8;
  int local[3] = {10, 20, 30};
  int *heap = new int[2]{100, 200};
  printf("%d %d %d\n", sum(first, last), sum(local, local + 3), sum(heap, heap + 2));
  printf("%d %d %d %d\n", first == last, first < last, null == first, first + count == Relative<int>(numbers + count));
  printf("%d %d\n", hash(first, numbers), hash(heap, heap));

  std::vector<int, __gnu_cxx::_ExtPtr_allocator<int>> vector(local, local + 3);
  vector.insert(vector.begin() + 1, 15);
  vector.erase(vector.begin());
  for (int number : vector)
    printf("%d ", number);
  printf("%d\n", vector.data() == &vector.front());
  delete[] heap;
}
