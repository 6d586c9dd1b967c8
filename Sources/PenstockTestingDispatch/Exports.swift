// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Tests use these together.
@_exported public import PenstockDispatch
@_exported public import PenstockOperators
@_exported public import PenstockTesting
