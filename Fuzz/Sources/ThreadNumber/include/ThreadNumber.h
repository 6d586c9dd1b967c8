// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#pragma once

#include <stdint.h>

/// A number of the calling thread's own.
///
/// Written in C, in a module of its own, so that no compiler keeps the answer across an `await`: `pthread_self()` is
/// declared in a way that lets it.
uint64_t fuzz_thread_number(void);
