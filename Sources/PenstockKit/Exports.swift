// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Authors of operators use the kit together with the core.
@_exported public import PenstockCore
