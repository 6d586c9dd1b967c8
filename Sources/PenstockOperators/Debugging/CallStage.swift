// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Publishes the non-`nil` results of calling a closure of the user's with each value.
  ///
  /// It works as `compactMap`, with a subscription of its own, which knows whether the closure has ended the stream:
  /// nothing is delivered after that, whatever the subscriber is.
  @inlinable
  internal consuming func calling<Name: UseName, Result>(
    as name: Name.Type, _ transform: @escaping (Output) -> Result?
  ) -> Publishers.Lifted<Result, Failure> {
    lift { CallStage<Name, Output, Result, Failure>(transform) }
  }
}

/// The stage of operators that turn a value into at most one output with a closure of the user's.
@frozen
@usableFromInline
internal struct CallStage<Name: UseName, Input, Output, Failure: Error>: ManagedStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let transform: (Input) -> Output?

  @inlinable
  internal init(_ transform: @escaping (Input) -> Output?) { self.transform = transform }

  @inlinable
  internal static var name: String { Name.name }

  @inlinable
  internal static var rules: ManagedRules { .passing }

  @inlinable @inline(__always)
  internal func receive(_ input: Input) -> Verdict<Output, Failure> { transform(input).map { .emit($0) } ?? .skip }
}
