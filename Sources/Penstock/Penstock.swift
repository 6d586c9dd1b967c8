// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// All of Combine, with the additions to Foundation and Dispatch that Apple's systems have.
@_exported public import PenstockCore

// WebAssembly has no Dispatch, and of Foundation neither run loops nor requests: there this module is the core.
#if !os(WASI)
  @_exported public import PenstockDispatch
  @_exported public import PenstockFoundation
#endif
