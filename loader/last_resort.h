//===-- loader/last_resort.h - When gpuexec itself fails --------*- C++ -*-===//
// Memory that runs out and crashes of gpuexec's own end with 125 and one line,
// never with a status that the program could have had. What the program had
// printed is written out first, as for a signal: the thread that failed tells
// the one that waits (session.cpp) and stays where it is, because it may hold
// locks; when that takes too long it ends the process itself. For main.cpp
// alone.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_LAST_RESORT_H
#define GPUEXEC_LOADER_LAST_RESORT_H

namespace gpuexec {

/// From here on failures end with `status`. The calling thread is the one that
/// waits for others.
void prepare_last_resort(int status);
/// Where own_failure_number (session.h) is written to when another thread
/// fails; before that, and when the waiting thread itself fails, the process
/// ends at once.
void set_last_resort_pipe(int write_end);

} // namespace gpuexec

#endif
