// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A predicate that cannot throw; see ``UnaryClosure``.
@frozen
@usableFromInline
package struct PassingPredicate<Input, Failure: Error>: UnaryClosure {
  @usableFromInline package typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let closure: (Input) -> Bool

  @_alwaysEmitIntoClient
  package init(_ closure: @escaping (Input) -> Bool) { self.closure = closure }

  @_alwaysEmitIntoClient
  package func callAsFunction(_ input: Input) -> Bool { closure(input) }
}

/// A predicate that may throw.
@frozen
@usableFromInline
package struct ThrowingPredicate<Input, Failure: Error>: UnaryClosure {
  @usableFromInline package typealias Channel = ThrowingChannel<Failure>

  @usableFromInline internal let closure: (Input) throws -> Bool

  @_alwaysEmitIntoClient
  package init(_ closure: @escaping (Input) throws -> Bool) { self.closure = closure }

  @_alwaysEmitIntoClient
  package func callAsFunction(_ input: Input) throws -> Bool { try closure(input) }
}

/// A predicate of two values that cannot throw; see ``BinaryClosure``.
@frozen
@usableFromInline
package struct PassingComparison<Element, Failure: Error>: BinaryClosure {
  @usableFromInline package typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let closure: (Element, Element) -> Bool

  @_alwaysEmitIntoClient
  package init(_ closure: @escaping (Element, Element) -> Bool) { self.closure = closure }

  @_alwaysEmitIntoClient
  package func callAsFunction(_ first: Element, _ second: Element) -> Bool { closure(first, second) }
}

/// A predicate of two values that may throw.
@frozen
@usableFromInline
package struct ThrowingComparison<Element, Failure: Error>: BinaryClosure {
  @usableFromInline package typealias Channel = ThrowingChannel<Failure>

  @usableFromInline internal let closure: (Element, Element) throws -> Bool

  @_alwaysEmitIntoClient
  package init(_ closure: @escaping (Element, Element) throws -> Bool) { self.closure = closure }

  @_alwaysEmitIntoClient
  package func callAsFunction(_ first: Element, _ second: Element) throws -> Bool { try closure(first, second) }
}
