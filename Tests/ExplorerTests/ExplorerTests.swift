// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Testing

/// All suites of the explorer: one after the other, since the library uses one scheduler of interleavings at a time.
@Suite(.serialized) enum ExplorerTests {}
