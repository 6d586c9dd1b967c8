// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Tracing
  internal import Tracing

  /// Tells whether a context is the current one.
  ///
  /// Binding a task-local value takes several times as long as reading it. So a scope that is already current binds
  /// nothing. The value that is read is compared by its memory: a context is one reference to a table, which is not
  /// changed while a copy is kept here, so the same reference is the same context. Contexts that are equal but not the
  /// same are merely bound again.
  internal struct ContextMark: Sendable {
    internal let context: ServiceContext?

    internal init(_ context: ServiceContext?) { self.context = context }

    internal var isCurrent: Bool {
      // If a context is ever more than one reference, each signal binds it.
      guard MemoryLayout<ServiceContext?>.size == MemoryLayout<UInt>.size else { return false }
      return withUnsafeBytes(of: context) { own in
        withUnsafeBytes(of: ServiceContext.current) { own.load(as: UInt.self) == $0.load(as: UInt.self) }
      }
    }
  }
#endif
