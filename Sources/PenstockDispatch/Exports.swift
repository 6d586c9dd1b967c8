// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

@_exported public import Dispatch
@_exported public import PenstockCore
