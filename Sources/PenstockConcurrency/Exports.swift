// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Clients use these additions together with the core and its operators.
@_exported public import PenstockOperators
