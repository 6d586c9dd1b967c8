// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Whoever uses these operators uses them with the core's.
@_exported public import PenstockCore
