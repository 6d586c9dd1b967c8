// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#include "SanitizerSupport.h"

#if __has_feature(thread_sanitizer)

// The sanitizer asks the program for this before anything else runs, so that nobody has to set TSAN_OPTIONS.
//
// A task whose continuation is resumed before it has come to its `await` does not go through a queue: it goes on where it
// is, and finds out by an atomic exchange inside of Swift's runtime. The toolchain's runtime is not instrumented. It tells
// the sanitizer of tasks that are enqueued and run, and not of this exchange; so the next use of the task's memory looks
// like a race with the `resume` that was there before. Left out are only the accesses of the waiting function's own frame,
// which is the standard library's code, and in an optimised build the iterators' `next`, into which it is inlined. (A `$` before the name would be the end of a line to the sanitizer.)
const char *__tsan_default_suppressions(void);

__attribute__((no_sanitize("thread"))) const char *__tsan_default_suppressions(void) {
  return "race_top:ss22withUnsafeContinuation9isolation\n"
         "race_top:12PenstockCore14AsyncPublisherV8IteratorV4next\n"
         "race_top:12PenstockCore22AsyncThrowingPublisherV8IteratorV4next\n";
}

#endif
