// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Clients use these operators together with the core.
@_exported public import PenstockCore
