// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Whoever uses these operators uses them with the others, and with Dispatch and Foundation.
@_exported public import Penstock
@_exported public import PenstockOperators
