// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#pragma once

#include <stdint.h>

/// A number that identifies the calling thread.
///
/// Written in C, in a module of its own, so that no compiler reuses the result across an `await`: the declaration of
/// `pthread_self()` would permit that.
uint64_t fuzz_thread_number(void);
