// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Code that uses these operators needs those of the core, too.
@_exported public import PenstockCore
