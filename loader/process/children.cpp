//===-- loader/process/children.cpp - Processes that the program started --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/process/children.h"
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <string>
#include <unistd.h>

namespace gpuexec {

/// Adds the children of every thread of a process, as /proc lists them.
static void add_children(pid_t process, std::vector<pid_t> &found) {
  std::string tasks = "/proc/" + std::to_string(process) + "/task";
  DIR *folder = ::opendir(tasks.c_str());
  if (!folder)
    return; // gone, or no /proc: nothing can be done
  while (dirent *task = ::readdir(folder)) {
    if (task->d_name[0] == '.')
      continue;
    std::string path = tasks + "/" + task->d_name + "/children";
    FILE *list = ::fopen(path.c_str(), "re");
    if (!list)
      continue;
    int child;
    while (::fscanf(list, "%d", &child) == 1)
      found.push_back(child);
    ::fclose(list);
  }
  ::closedir(folder);
}

std::vector<pid_t> descendants() {
  std::vector<pid_t> found;
  add_children(::getpid(), found);
  for (size_t i = 0; i < found.size(); ++i)
    add_children(found[i], found);
  return found;
}

} // namespace gpuexec
