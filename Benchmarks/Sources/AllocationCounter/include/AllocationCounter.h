// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// Whether allocations can be counted on this system.
bool allocation_counter_is_supported(void);

/// Starts counting from zero, for all threads of the process.
void allocation_counter_start(void);

/// Stops counting.
///
/// Returns the number of allocations since the start.
uint64_t allocation_counter_stop(void);

/// The bytes that the C library has handed out and not got back, including its overhead for each block; 0 if this is
/// not known.
uint64_t allocation_counter_bytes(void);

#endif
