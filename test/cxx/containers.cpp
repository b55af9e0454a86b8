// Containers, iterators and algorithms print what they print natively; the order of hashed ones is the same library's.
// RUN: %python %S/inputs/as_natively.py %s -o %t --gpucxx '%gpucxx' --run '%run'
#include <algorithm>
#include <any>
#include <array>
#include <bitset>
#include <deque>
#include <forward_list>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <stack>
#include <stdio.h>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <valarray>
#include <variant>
#include <vector>

template <typename ALL> static void show(const char *what, const ALL &all) {
  printf("%s:", what);
  for (const auto &one : all)
    printf(" %d", int(one));
  printf("\n");
}

static void sequences() {
  std::vector<int> v{5, 3, 9};
  for (int i = 0; i < 20; ++i)
    v.insert(v.begin() + i / 2, i * i % 13);
  v.erase(std::remove(v.begin(), v.end(), 9), v.end());
  show("vector", v);
  std::deque<int> d(v.begin(), v.end());
  for (int i = 0; i < 300; ++i) {
    d.push_front(i);
    d.pop_back();
  }
  d.resize(12);
  show("deque", d);
  std::list<int> l(v.begin(), v.end()), other{100, 1, 7};
  l.sort();
  other.sort();
  l.merge(other);
  l.unique();
  l.reverse();
  l.splice(l.begin(), l, std::prev(l.end()));
  show("list", l);
  std::forward_list<int> f{3, 1, 2};
  f.push_front(8);
  f.sort(std::greater<>());
  f.insert_after(f.begin(), 44);
  show("forward_list", f);
  std::vector<bool> bits(70);
  for (size_t i = 0; i < bits.size(); i += 3)
    bits[i].flip();
  show("vector<bool>", bits);
  std::array<int, 5> a{5, 4, 3, 2, 1};
  std::sort(a.begin(), a.end());
  show("array", a);
  std::valarray<int> x{1, 2, 3, 4, 5, 6}, y = x * x + 1;
  std::valarray<int> third = y[std::slice(0, 3, 2)];
  show("valarray", third += 1);
  printf("bitset %s %zu\n", (std::bitset<40>(0xabcdef) << 7).to_string().c_str(), std::bitset<40>(0xabcdef).count());
}

static void associations() {
  std::map<std::string, int> words;
  for (const char *word : {"one", "two", "three", "two", "one", "two", "a longer word that is in the heap"})
    ++words[word];
  for (const auto &[word, count] : words)
    printf("%s %d\n", word.c_str(), count);
  auto node = words.extract("two");
  node.key() = "zwei";
  words.insert(std::move(node));
  printf("%s, %s\n", words.rbegin()->first.c_str(), words.lower_bound("p")->first.c_str());
  std::multimap<int, char> letters{{3, 'c'}, {1, 'a'}, {3, 'd'}, {2, 'b'}};
  for (auto [begin, end] = letters.equal_range(3); begin != end; ++begin)
    printf("%c", begin->second);
  printf("\n");
  std::set<int, std::greater<int>> s;
  for (int i = 0; i < 1000; ++i)
    s.insert(i * 7919 % 101);
  printf("set %zu %d %d\n", s.size(), *s.begin(), *std::next(s.begin(), 50));
  std::unordered_map<int, int> squares;
  for (int i = 0; i < 200; ++i)
    squares[i * 37] = i;
  long sum = 0, turn = 0;
  for (const auto &[key, value] : squares)
    sum += ++turn * value;
  printf("unordered_map %zu buckets %zu sum %ld\n", squares.size(), squares.bucket_count(), sum);
  std::unordered_set<std::string> names{"alpha", "beta", "gamma", "delta"};
  for (const std::string &name : names)
    printf("%s ", name.c_str());
  printf("%zu %zu\n", std::hash<std::string>()("gpuexec"), std::hash<double>()(1.5));
  std::priority_queue<int> heap;
  std::stack<int> stack;
  std::queue<int> queue;
  for (int i : {3, 1, 4, 1, 5, 9, 2, 6})
    heap.push(i), stack.push(i), queue.push(i);
  while (!heap.empty()) {
    printf("%d%d%d ", heap.top(), stack.top(), queue.front());
    heap.pop(), stack.pop(), queue.pop();
  }
  printf("\n");
}

struct Noisy {
  int id;
  explicit Noisy(int i) : id(i) { printf("+%d ", id); }
  Noisy(const Noisy &other) : id(other.id + 100) { printf("c%d ", id); }
  Noisy(Noisy &&other) noexcept : id(other.id) { other.id = 0; printf("m%d ", id); }
  Noisy &operator=(const Noisy &) = default;
  ~Noisy() { printf("-%d ", id); }
};

static void owners() {
  std::vector<Noisy> v;
  v.reserve(2);
  for (int i = 1; i < 5; ++i)
    v.emplace_back(i);
  v.insert(v.begin() + 1, v[2]);
  v.clear();
  printf("\n");
  auto shared = std::make_shared<Noisy>(7);
  std::weak_ptr<Noisy> weak = shared;
  auto alias = std::shared_ptr<int>(shared, &shared->id);
  shared.reset();
  printf("%ld %d ", weak.use_count(), *alias);
  alias.reset();
  printf("%d\n", weak.expired());
  std::unique_ptr<Noisy, void (*)(Noisy *)> own(new Noisy(8), [](Noisy *noisy) { printf("own "); delete noisy; });
  own.reset();
  std::optional<Noisy> maybe;
  maybe.emplace(9);
  maybe.reset();
  std::variant<int, std::string, Noisy> either = "text";
  either.emplace<2>(10);
  std::visit([](auto &value) { printf("size %zu ", sizeof value); }, either);
  either = 3;
  std::any anything = Noisy(11);
  printf("%d ", std::any_cast<Noisy &>(anything).id);
  anything = std::string("string");
  printf("%s\n", std::any_cast<std::string>(anything).c_str());
  std::function<int(int)> factorial = [&](int n) { return n < 2 ? 1 : n * factorial(n - 1); };
  printf("%d %d\n", factorial(10), std::bind(std::minus<>(), std::placeholders::_2, 5)(1, 12));
  const auto t = std::tuple_cat(std::make_tuple(1, 'x'), std::make_tuple(2.5));
  printf("%d %c %g %d\n", std::get<0>(t), std::get<1>(t), std::get<2>(t), t < std::make_tuple(1, 'y', 0.0));
}

static void algorithms() {
  std::vector<int> v(50);
  std::iota(v.begin(), v.end(), 0);
  std::rotate(v.begin(), v.begin() + 17, v.end());
  std::nth_element(v.begin(), v.begin() + 25, v.end());
  std::partial_sort(v.begin(), v.begin() + 10, v.end(), std::greater<>());
  show("algorithms", v);
  std::make_heap(v.begin(), v.end());
  std::sort_heap(v.begin(), v.end());
  printf("%d %d %td\n", std::is_sorted(v.begin(), v.end()), std::binary_search(v.begin(), v.end(), 33),
         std::upper_bound(v.begin(), v.end(), 20) - v.begin());
  std::string text = "abc";
  do
    printf("%s ", text.c_str());
  while (std::next_permutation(text.begin(), text.end()));
  std::vector<int> odd, even;
  std::partition_copy(v.begin(), v.end(), std::back_inserter(odd), std::back_inserter(even), [](int x) { return x % 2; });
  std::vector<int> both;
  std::set_symmetric_difference(odd.begin(), odd.end(), v.begin() + 5, v.end(), std::back_inserter(both));
  show("\nsets", both);
  printf("%d %d\n", std::accumulate(v.begin(), v.end(), 0), std::inner_product(v.begin(), v.end(), v.rbegin(), 0));
}

int main() {
  sequences();
  associations();
  owners();
  algorithms();
}
