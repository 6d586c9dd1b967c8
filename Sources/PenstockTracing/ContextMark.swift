// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Tracing
  internal import Tracing

  /// Tells whether a context is the current one.
  ///
  /// To bind a task-local value takes several times as long as to read it. So a scope that is the current one already binds
  /// nothing. What is read is compared by its memory: a context is one reference to a table, which nobody changes while a copy
  /// of it is kept here, so the same reference is the same context. Contexts that are equal and not the same are only bound anew.
  internal struct ContextMark: Sendable {
    internal let context: ServiceContext?

    internal init(_ context: ServiceContext?) { self.context = context }

    internal var isCurrent: Bool {
      // Should a context ever be more than that, each signal binds it.
      guard MemoryLayout<ServiceContext?>.size == MemoryLayout<UInt>.size else { return false }
      return withUnsafeBytes(of: context) { own in
        withUnsafeBytes(of: ServiceContext.current) { own.load(as: UInt.self) == $0.load(as: UInt.self) }
      }
    }
  }
#endif
