// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The next step of a stream when a publisher has completed; see ``SequentialRule``.
@frozen
public enum SequentialStep<Next, Failure: Error> {
  /// The stream completes.
  case finish(Subscribers.Completion<Failure>)
  /// This publisher follows.
  case start(Next)
}

/// A rule that decides which publisher follows one that has completed: as in `catch`, `retry` and `append`.
///
/// Each publisher is asked for the rest of downstream's demand that the ones before it have left.
///
/// ```swift
/// struct OnceMoreRule<Upstream: Publisher>: SequentialRule {
///   let upstream: Upstream
///
///   func next(
///     after completion: Subscribers.Completion<Upstream.Failure>, number: Int
///   ) -> SequentialStep<Upstream, Upstream.Failure> {
///     if case .failure = completion, number == 1 { return .start(upstream) }
///     return .finish(completion)
///   }
/// }
///
/// var attempts = 0
/// let flaky = Deferred {
///   attempts += 1
///   return attempts == 1 ? Result<String, URLError>.failure(URLError(.timedOut)).publisher : Result.success("page").publisher
/// }
/// let cancellable = flaky.followed { OnceMoreRule(upstream: flaky) }.sink(
///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
/// // Prints "page", "finished" on two lines.
/// ```
///
/// **Concurrency:** the rule is asked by the thread on which a publisher completes. A rule with state is a final class; its state
/// belongs to the stream's deliveries, and needs no lock. Publishers that complete at once are followed in a loop, so that the stack does
/// not grow.
public protocol SequentialRule<Output, Failure> {
  /// The type of the values.
  associatedtype Output
  /// The type of the failures that downstream receives.
  associatedtype Failure: Error
  /// The type of the publishers that may follow.
  associatedtype Next: Publisher where Next.Output == Output

  /// The text that `print()` shows for the operator; by default the name of the type, without `Rule`.
  static var name: String { get }

  /// Called before each value is delivered; for rules that decide by the values. By default it does nothing.
  func willDeliver()

  /// Decides how the stream continues.
  ///
  /// - Parameters:
  ///   - completion: The completion of the current publisher.
  ///   - number: The number of publishers that have completed, including this one.
  func next(after completion: Subscribers.Completion<Next.Failure>, number: Int) -> SequentialStep<Next, Failure>
}

extension SequentialRule {
  /// The name of the type, without `Rule`.
  public static var name: String { nameOfOperator(Self.self) }

  /// Does nothing.
  @inlinable
  public func willDeliver() {}
}

extension Publisher {
  /// Republishes this publisher's values, and then those of the publishers that a rule lets follow.
  ///
  /// ```swift
  /// struct InsteadRule<Failure: Error>: SequentialRule {
  ///   func next(after completion: Subscribers.Completion<Failure>, number: Int) -> SequentialStep<Result<Int, Failure>.Publisher, Never> {
  ///     if case .failure = completion, number == 1 { return .start(Result.Publisher(0)) }
  ///     return .finish(.finished)
  ///   }
  /// }
  ///
  /// let cancellable = Fail<Int, URLError>(error: URLError(.timedOut)).followed { InsteadRule() }.sink { print($0) }
  /// // Prints "0".
  /// ```
  ///
  /// **Demand:** passed to the current publisher; the next one is asked for the demand that has not been met.
  ///
  /// **Completion:** as the rule decides, when a publisher has completed.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** adds no thread. Publishers may deliver on different threads, one after the other.
  ///
  /// **Traps:** a value that has not been requested.
  ///
  /// - Parameter makeRule: A closure that makes the rule of one subscription.
  /// - Returns: A publisher of the values of one publisher after the other.
  @inlinable
  public consuming func followed<Rule: SequentialRule>(
    _ makeRule: @escaping () -> Rule
  ) -> Publishers.Lifted<Output, Rule.Failure> where Rule.Output == Output, Rule.Next.Failure == Failure {
    Publishers.Lifted(FollowedPublisher(upstream: self, makeRule: makeRule))
  }
}
