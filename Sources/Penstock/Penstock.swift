// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// All of Combine, with what Foundation and Dispatch add to it on Apple's systems.
@_exported public import PenstockCore
@_exported public import PenstockDispatch
@_exported public import PenstockFoundation
