//===-- libc-shim/stdlib/twalk_r.c - Walks through trees of tsearch() -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#define _SEARCH_PRIVATE // newlib's nodes
#include <search.h>
#include <stddef.h>

void twalk_r(const void *root, void (*action)(const void *, VISIT, void *),
             void *closure) {
  const node_t *node = root;
  if (!node || !action)
    return;
  if (!node->llink && !node->rlink) {
    action(node, leaf, closure);
    return;
  }
  action(node, preorder, closure);
  twalk_r(node->llink, action, closure);
  action(node, postorder, closure);
  twalk_r(node->rlink, action, closure);
  action(node, endorder, closure);
}
