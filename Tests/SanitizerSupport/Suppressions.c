// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#include "SanitizerSupport.h"

#if __has_feature(thread_sanitizer)

// The sanitizer calls this function before anything else runs, so that TSAN_OPTIONS need not be set.
//
// If a task's continuation is resumed before the task has reached its `await`, the task does not go through a queue: it
// continues on its thread, and learns of the result by an atomic exchange in Swift's runtime. The toolchain's runtime
// is not instrumented. It reports to the sanitizer when tasks are enqueued and run, but not this exchange; so the next
// use of the task's memory looks like a race with the earlier `resume`. Only accesses in the waiting function's own
// frame are suppressed: that function is the standard library's and, in an optimised build, the iterators' `next`, into
// which it is inlined. (A `$` before the name would end the pattern.)
const char *__tsan_default_suppressions(void);

__attribute__((no_sanitize("thread"))) const char *__tsan_default_suppressions(void) {
  return "race_top:ss22withUnsafeContinuation9isolation\n"
         "race_top:12PenstockCore14AsyncPublisherV8IteratorV4next\n"
         "race_top:12PenstockCore22AsyncThrowingPublisherV8IteratorV4next\n";
}

#endif
