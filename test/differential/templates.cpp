// C++: templates, virtual calls, multiple inheritance, lambdas, constructors of globals, references, operators.
// RUN: %python %S/compare.py %s --gpucc '%gpucc' --gpuexec '%gpuexec --device=emulator' --hostcc clang++ -o %t
#include "inputs/lanes.h"

namespace {

struct Shape {
  virtual ~Shape() {}
  virtual uint64_t area(uint64_t scale) const = 0;
  virtual uint64_t corners() const { return 0; }
};
struct Named {
  virtual uint64_t name() const { return 1; }
  uint64_t id = 7;
};
struct Rectangle : Shape, Named {
  uint64_t w, h;
  Rectangle(uint64_t w, uint64_t h) : w(w), h(h) {}
  uint64_t area(uint64_t scale) const override { return w * h * scale; }
  uint64_t corners() const override { return 4; }
  uint64_t name() const override { return 10 + id; }
};
struct Square final : Rectangle {
  explicit Square(uint64_t a) : Rectangle(a, a) {}
  uint64_t name() const override { return 20 + w; }
};
struct Triangle : virtual Shape {
  uint64_t base;
  explicit Triangle(uint64_t base) : base(base) {}
  uint64_t area(uint64_t scale) const override { return base * base * scale / 2; }
  uint64_t corners() const override { return 3; }
};

// Run before main, in this order.
struct Logger {
  uint64_t value;
  static uint64_t order;
  explicit Logger(uint64_t v) : value(v * 100 + ++order) {}
};
uint64_t Logger::order = 0;
Logger first(1), second(2), third(first.value);
Square global_square(9);

template <typename T, unsigned N> struct Array {
  T items[N];
  template <typename F> constexpr auto fold(F f, T start) const {
    for (const T &item : items)
      start = f(start, item);
    return start;
  }
  T &operator[](unsigned i) { return items[i % N]; }
};
template <typename... Ts> constexpr uint64_t sum_of_sizes = (sizeof(Ts) + ... + 0);
template <unsigned N> constexpr uint64_t fibonacci = fibonacci<N - 1> + fibonacci<N - 2>;
template <> constexpr uint64_t fibonacci<0> = 0;
template <> constexpr uint64_t fibonacci<1> = 1;

template <typename T> struct Complex {
  T re, im;
  friend Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
  friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
};

template <typename K, typename V, unsigned N> class HashMap {
  struct Slot {
    K key;
    V value;
    bool used = false;
  } slots[N];

public:
  V &operator[](const K &key) {
    unsigned i = unsigned(mix(uint64_t(key)) % N);
    while (slots[i].used && !(slots[i].key == key))
      i = (i + 1) % N;
    if (!slots[i].used)
      slots[i] = {key, V(), true};
    return slots[i].value;
  }
};

struct Guard {
  uint64_t &target;
  explicit Guard(uint64_t &t) : target(t) { target += 3; }
  ~Guard() { target *= 5; }
};

uint64_t guarded(uint64_t v) {
  uint64_t r = v;
  {
    Guard one(r);
    if (v % 3 == 0)
      return r; // the destructor runs after the value was taken
    Guard two(r);
    r ^= 1;
  }
  return r;
}

typedef uint64_t (Shape::*Method)() const;

} // namespace

extern "C" void lane(unsigned lane) {
  unsigned virtuals = check_named(0, "virtual"), globals = check_named(1, "globals"), templates = check_named(2, "templates"),
           maps = check_named(3, "maps"), guards = check_named(4, "guards"), lambdas = check_named(5, "lambdas"),
           numbers = check_named(6, "complex");
  for (unsigned k = 0; k < 10; ++k) {
    uint64_t i = k * LANES + lane, seed = random_at(5, i);
    Rectangle rectangle(seed % 100, seed % 77);
    Square square(seed % 50);
    Triangle triangle(seed % 91);
    const Shape *shapes[] = {&rectangle, &square, &triangle, &global_square};
    const Shape *shape = shapes[seed / 3 % 4];
    Method method = &Shape::corners;
    record(virtuals, i, shape->area(k + 1) * 10 + (shape->*method)());
    const Named *named = seed & 1 ? static_cast<const Named *>(&rectangle) : &square;
    record(virtuals, i + 100000, named->name());
    record(globals, i, first.value + second.value * 1000 + third.value * 1000000 + global_square.area(1));

    Array<uint32_t, 9> array{};
    for (unsigned n = 0; n < 9; ++n)
      array[n * 2] += uint32_t(seed >> n);
    record(templates, i, array.fold([](uint32_t a, uint32_t b) { return a * 31 + b; }, 7u) + sum_of_sizes<char, double, Square> + fibonacci<50>);

    HashMap<uint32_t, uint64_t, 37> map;
    for (unsigned n = 0; n < 60; ++n)
      map[uint32_t(random_at(seed, n) % 23)] += n;
    uint64_t total = 0;
    for (uint32_t key = 0; key < 23; ++key)
      total = mix(total + map[key]);
    record(maps, i, total);

    record(guards, i, guarded(seed % 1000));
    uint64_t captured = seed;
    auto step = [&captured, k](auto v) { captured = mix(captured + uint64_t(v) + k); return captured % 5 + v; };
    record(lambdas, i, uint64_t(step(3)) + uint64_t(step(2.5) * 4) + uint64_t(step((short)-3)));

    Complex<double> z{0, 0}, c{double(seed % 4000) / 1000 - 2.5, double(seed % 2000) / 1000 - 1};
    unsigned n = 0;
    for (; n < 60 && z.re * z.re + z.im * z.im < 4; ++n)
      z = z * z + c;
    record_double(numbers, i, z.re + n);
  }
}
