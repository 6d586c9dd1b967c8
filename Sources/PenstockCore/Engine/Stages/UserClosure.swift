// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A user's closure of one argument, stored without conversion.
///
/// A stage could store `(Input) throws(Channel.Thrown) -> Output` for an operator and its throwing twin alike. But a
/// closure stored in that form is wrapped in a thunk that passes the error by pointer: one more indirect call per value
/// and operator. With this protocol both twins keep the closure in its own form, and calls are direct. For the same reason
/// closures that return `Bool` have structures of their own: where the result is generic, it is passed by pointer.
@usableFromInline
package protocol UnaryClosure<Input, Output> {
  associatedtype Input
  associatedtype Output
  associatedtype Channel: ForwardingChannel

  func callAsFunction(_ input: Input) throws(Channel.Thrown) -> Output
}

/// A user's closure of two arguments, stored without conversion; see ``UnaryClosure``.
@usableFromInline
package protocol BinaryClosure<First, Second, Output> {
  associatedtype First
  associatedtype Second
  associatedtype Output
  associatedtype Channel: ForwardingChannel

  func callAsFunction(_ first: First, _ second: Second) throws(Channel.Thrown) -> Output
}

/// A closure that cannot throw.
@frozen
@usableFromInline
package struct PassingUnary<Input, Output, Failure: Error>: UnaryClosure {
  @usableFromInline package typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let closure: (Input) -> Output

  @_alwaysEmitIntoClient
  package init(_ closure: @escaping (Input) -> Output) { self.closure = closure }

  @_alwaysEmitIntoClient
  package func callAsFunction(_ input: Input) -> Output { closure(input) }
}

/// A closure that may throw.
@frozen
@usableFromInline
package struct ThrowingUnary<Input, Output, Failure: Error>: UnaryClosure {
  @usableFromInline package typealias Channel = ThrowingChannel<Failure>

  @usableFromInline internal let closure: (Input) throws -> Output

  @_alwaysEmitIntoClient
  package init(_ closure: @escaping (Input) throws -> Output) { self.closure = closure }

  @_alwaysEmitIntoClient
  package func callAsFunction(_ input: Input) throws -> Output { try closure(input) }
}

/// A closure of two arguments that cannot throw.
@frozen
@usableFromInline
package struct PassingBinary<First, Second, Output, Failure: Error>: BinaryClosure {
  @usableFromInline package typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let closure: (First, Second) -> Output

  @_alwaysEmitIntoClient
  package init(_ closure: @escaping (First, Second) -> Output) { self.closure = closure }

  @_alwaysEmitIntoClient
  package func callAsFunction(_ first: First, _ second: Second) -> Output { closure(first, second) }
}

/// A closure of two arguments that may throw.
@frozen
@usableFromInline
package struct ThrowingBinary<First, Second, Output, Failure: Error>: BinaryClosure {
  @usableFromInline package typealias Channel = ThrowingChannel<Failure>

  @usableFromInline internal let closure: (First, Second) throws -> Output

  @_alwaysEmitIntoClient
  package init(_ closure: @escaping (First, Second) throws -> Output) { self.closure = closure }

  @_alwaysEmitIntoClient
  package func callAsFunction(_ first: First, _ second: Second) throws -> Output { try closure(first, second) }
}
