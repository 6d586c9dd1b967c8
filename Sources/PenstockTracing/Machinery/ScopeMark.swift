// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Tracing
  public import PenstockCore
  internal import Synchronization
  internal import Tracing

  /// Tells whether the context of a scope is the current one on a thread, at the price of one load.
  ///
  /// To bind a task-local value takes several times as long as to deliver a value, and to read the current one is not much
  /// faster. So a scope notes the thread for which it has bound its context, and whoever binds another one
  /// inside of it takes the note away for that time.
  @usableFromInline
  internal final class ScopeMark: Sendable {
    /// The innermost scope is in the context itself.
    private enum Key: ServiceContextKey {
      typealias Value = ScopeMark
    }

    /// The thread on which the scope is the innermost one; zero if it is on none.
    ///
    /// Another thread may be in the scope, too, and then binds for itself each time.
    @usableFromInline internal let thread = AtomicCell<UInt>(0)

    internal init() {}

    /// A context in which this is the innermost scope.
    internal func marking(_ context: ServiceContext) -> ServiceContext {
      var context = context
      context[Key.self] = self
      return context
    }

    /// Binds a context.
    ///
    /// - Parameter mark: The scope of the context, if it is to be noted.
    internal static func bind(_ context: ServiceContext?, of mark: ScopeMark?, _ body: () -> Void) {
      let thread = currentThread()
      let outer = ServiceContext.current?[Key.self]
      let isOuterNoted = outer?.change(thread, to: 0) ?? false
      let isNoted = mark?.change(0, to: thread) ?? false
      ServiceContext.$current.withValue(context, operation: body)
      if isNoted { mark?.change(thread, to: 0) }
      if isOuterNoted { outer?.change(0, to: thread) }
    }

    @discardableResult
    private func change(_ old: UInt, to new: UInt) -> Bool {
      thread.compareExchange(expected: old, desired: new, ordering: .relaxed).exchanged
    }
  }
#endif
