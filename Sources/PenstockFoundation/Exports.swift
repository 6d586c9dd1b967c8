// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

@_exported public import PenstockCore

// On Linux, a part of Foundation is a separate module, which Apple's code does not import: so this module exports it.
#if canImport(FoundationNetworking)
  @_exported public import FoundationNetworking
#endif
