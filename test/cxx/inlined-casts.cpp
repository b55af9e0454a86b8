// A dynamic_cast that the link inlines reads the table of virtual functions that the constructor has stored just before: as data, which to
// LLVM must not be of another type.
// RUN: for level in 0 1 2 3; do %gpucxx -O$level %s -o %t && %run %t | FileCheck %s || { echo "failed: -O$level" >&2; exit 1; }; done
#include <iostream>

struct Base {
  virtual void function() {}
};
struct Left : virtual Base {};
struct Both : virtual Base, private Left {};

struct User {
  User(Base *base) : left(dynamic_cast<Left *>(base)) {}
  Left *left;
};

int main() {
  Base *base = new Left;
  User user(base), other(new Both), none(new Base);
  std::cout << (user.left != nullptr) << (none.left != nullptr) << std::endl; // CHECK: 10
  std::cout << (dynamic_cast<void *>(base) == user.left) << (other.left == user.left) << std::endl; // CHECK-NEXT: 10
}
