// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Code that uses these operators needs the others, and Dispatch and Foundation, too.
@_exported public import Penstock
@_exported public import PenstockOperators
