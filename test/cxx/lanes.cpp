// What each lane of a wave does by itself: containers, strings, streams, virtual calls, exceptions of different kinds and depths.
// RUN: %python %S/inputs/as_natively.py %s -o %t --gpucxx '%gpucxx' --run '%run' --threads 70
#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <stdio.h>
#include <string>
#include <typeinfo>
#include <unordered_map>
#include <vector>
#if defined(__AMDGPU__) || defined(__NVPTX__)
#include <gpuintrin.h>
#endif

struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};
struct Square : Shape {
  int side;
  explicit Square(int s) : side(s) {}
  int area() const override { return side * side; }
};
struct Bar : Square {
  int length;
  Bar(int s, int l) : Square(s), length(l) {}
  int area() const override {
    if (length > 12)
      throw std::out_of_range("bar of " + std::to_string(length));
    return side * length;
  }
};

static int dive(int lane, int depth) {
  std::string keeps = "level " + std::to_string(depth);
  if (depth == 0) {
    switch (lane % 5) {
    case 0: throw lane;
    case 1: throw std::runtime_error(keeps + " of lane " + std::to_string(lane));
    case 2: throw std::make_unique<int>(lane * 2);
    case 3: throw std::string("text");
    default: return int(keeps.size());
    }
  }
  try {
    return dive(lane, depth - 1) + 1;
  } catch (const std::string &text) {
    if (depth % 2)
      throw;
    throw text + "+" + std::to_string(depth);
  }
}

static std::string thrown(int lane) {
  try {
    return std::to_string(dive(lane, 1 + lane % 7));
  } catch (int number) {
    return "int " + std::to_string(number);
  } catch (const std::exception &error) {
    return std::string(typeid(error).name()) + " " + error.what();
  } catch (const std::string &text) {
    return text;
  } catch (const std::unique_ptr<int> &owner) {
    return "owner of " + std::to_string(*owner);
  }
}

static std::string words(int lane) {
  std::map<std::string, int> count;
  std::unordered_map<int, std::vector<std::string>> by_length;
  std::istringstream text("a lane of a wave has a map of words and a wave has lanes " + std::string(lane % 9, 'x'));
  for (std::string word; text >> word; ++count[word])
    by_length[int(word.size())].push_back(word);
  std::ostringstream out;
  for (const auto &[word, n] : count)
    if (n > 1 + lane % 2)
      out << word << '*' << n << ' ';
  out << by_length[4].size() << ' ' << std::hex << lane * 17;
  return out.str();
}

static std::string shapes(int lane) {
  std::vector<std::unique_ptr<Shape>> all;
  for (int i = 0; i < 3 + lane % 4; ++i)
    if ((i + lane) % 3)
      all.push_back(std::make_unique<Square>(i));
    else
      all.push_back(std::make_unique<Bar>(i, lane / 3));
  int total = 0, bars = 0;
  try {
    for (const auto &shape : all) {
      bars += dynamic_cast<Bar *>(shape.get()) != nullptr;
      total += shape->area();
    }
  } catch (const std::out_of_range &error) {
    return std::string(error.what()) + " after " + std::to_string(total);
  }
  return std::to_string(total) + " with " + std::to_string(bars);
}

static int constant(int lane) {
  static const std::vector<int> table = [] {
    std::vector<int> made(100);
    for (int i = 0; i < 100; ++i)
      made[i] = i * i;
    return made;
  }();
  return table[lane];
}

static void run(int lane) {
  std::vector<int> numbers(20 + lane);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = int(i * 7919 + lane * 31) % 1009;
  std::sort(numbers.begin(), numbers.end());
  printf("lane %d: %d %s | %s | %s | %d\n", lane, numbers[10], thrown(lane).c_str(), words(lane).c_str(), shapes(lane).c_str(), constant(lane));
}

int main() {
#if defined(__AMDGPU__) || defined(__NVPTX__)
  run(__gpu_thread_id_x());
#else
  for (int lane = 0; lane < 70; ++lane)
    run(lane);
#endif
}
