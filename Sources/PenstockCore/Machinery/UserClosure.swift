// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The closure of one argument that a user gave to an operator, stored as it came.
///
/// A stage that stored `(Input) throws(Channel.Thrown) -> Output` would serve an operator and its throwing twin just as
/// well, but whatever is put there is wrapped in a thunk first, which passes the error by pointer: one more indirect call
/// a value for each operator. Here both twins keep the closure in its own form, and are called without a detour.
@usableFromInline
package protocol Unary<Input, Output> {
  associatedtype Input
  associatedtype Output
  associatedtype Channel: ForwardingChannel

  func callAsFunction(_ input: Input) throws(Channel.Thrown) -> Output
}

/// The closure of two arguments that a user gave to an operator, stored as it came; see ``Unary``.
@usableFromInline
package protocol Binary<First, Second, Output> {
  associatedtype First
  associatedtype Second
  associatedtype Output
  associatedtype Channel: ForwardingChannel

  func callAsFunction(_ first: First, _ second: Second) throws(Channel.Thrown) -> Output
}

/// A closure that cannot throw.
@frozen
@usableFromInline
package struct PassingUnary<Input, Output, Failure: Error>: Unary {
  @usableFromInline package typealias Channel = Passing<Failure>

  @usableFromInline internal let closure: (Input) -> Output

  @inlinable
  package init(_ closure: @escaping (Input) -> Output) { self.closure = closure }

  @inlinable
  package func callAsFunction(_ input: Input) -> Output { closure(input) }
}

/// A closure that may throw.
@frozen
@usableFromInline
package struct ThrowingUnary<Input, Output, Failure: Error>: Unary {
  @usableFromInline package typealias Channel = Throwing<Failure>

  @usableFromInline internal let closure: (Input) throws -> Output

  @inlinable
  package init(_ closure: @escaping (Input) throws -> Output) { self.closure = closure }

  @inlinable
  package func callAsFunction(_ input: Input) throws -> Output { try closure(input) }
}

/// A closure of two arguments that cannot throw.
@frozen
@usableFromInline
package struct PassingBinary<First, Second, Output, Failure: Error>: Binary {
  @usableFromInline package typealias Channel = Passing<Failure>

  @usableFromInline internal let closure: (First, Second) -> Output

  @inlinable
  package init(_ closure: @escaping (First, Second) -> Output) { self.closure = closure }

  @inlinable
  package func callAsFunction(_ first: First, _ second: Second) -> Output { closure(first, second) }
}

/// A closure of two arguments that may throw.
@frozen
@usableFromInline
package struct ThrowingBinary<First, Second, Output, Failure: Error>: Binary {
  @usableFromInline package typealias Channel = Throwing<Failure>

  @usableFromInline internal let closure: (First, Second) throws -> Output

  @inlinable
  package init(_ closure: @escaping (First, Second) throws -> Output) { self.closure = closure }

  @inlinable
  package func callAsFunction(_ first: First, _ second: Second) throws -> Output { try closure(first, second) }
}
