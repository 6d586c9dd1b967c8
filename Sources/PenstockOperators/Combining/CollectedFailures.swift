// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The failures of the upstreams of one subscription, which may fail on several threads at once.
@usableFromInline
internal final class CollectedFailures<Failure: Error> {
  private let failures = Guarded([Failure]())

  @usableFromInline
  internal init() {}

  @usableFromInline
  internal func note(_ failure: Failure) { failures.withLock { $0.append(failure) } }

  /// All of them; `nil` if there is none.
  @usableFromInline
  internal var composite: CompositeFailure<Failure>? {
    let all = failures.withLock { $0 }
    return all.isEmpty ? nil : CompositeFailure(all)
  }
}

/// The stage before operators with several upstreams: a failure is collected, and the upstream finishes.
@usableFromInline
internal struct CollectFailureStage<Input, Failure: Error>: ManagedStage {
  @usableFromInline internal typealias Channel = ReplacingChannel<Failure, Never>

  @usableFromInline internal let failures: CollectedFailures<Failure>

  @inlinable
  internal init(_ failures: CollectedFailures<Failure>) { self.failures = failures }

  @inlinable
  internal static var name: String { "DelayingErrors" }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Input, Never> { .emit(input) }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Failure>) -> Subscribers.Completion<Never> {
    if case .failure(let failure) = completion { failures.note(failure) }
    return .finished
  }
}

/// The stage after such operators: the collected failures become the failure of the stream.
@usableFromInline
internal struct CompositeFailureStage<Input, Failure: Error>: ManagedStage {
  @usableFromInline internal typealias Channel = ReplacingChannel<Never, CompositeFailure<Failure>>

  @usableFromInline internal let failures: CollectedFailures<Failure>

  @inlinable
  internal init(_ failures: CollectedFailures<Failure>) { self.failures = failures }

  @inlinable
  internal static var name: String { "DelayingErrors" }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Input, CompositeFailure<Failure>> { .emit(input) }

  @inlinable
  internal func receive(
    completion: Subscribers.Completion<Never>
  ) -> Subscribers.Completion<CompositeFailure<Failure>> {
    failures.composite.map { .failure($0) } ?? .finished
  }
}
