// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Clients use these operators together with the others, and with Dispatch and Foundation.
@_exported public import Penstock
@_exported public import PenstockOperators
