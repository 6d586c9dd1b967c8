// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The upstream that a verification gives to an operator: a publisher of numbers, or of values made from them.
///
/// **Demand:** counted, and kept, or broken on purpose, as the rule that is checked needs it.
///
/// **Completion:** when the check wants it.
///
/// **Failure:** ``VerificationError/failed``, when the check wants it.
///
/// **Concurrency:** delivers on the threads of the check.
public struct VerificationUpstream<Output, Failure: Error>: Publisher {
  enum Source {
    /// Driven by the check.
    case byHand(UpstreamControl)
    /// The numbers from 0 on, as they are requested.
    case cold(Int, fails: Bool)
  }

  let source: Source
  let input: (Int) -> Output
  let failure: Failure?

  /// Delivers what the check wants.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    switch source {
    case .cold(let count, let fails):
      let completion: Subscribers.Completion<Failure> = fails ? failure.map { .failure($0) } ?? .finished : .finished
      MisbehavingPublisher((0..<count).map(input), completion: completion).receive(subscriber: subscriber)
    case .byHand(let control):
      let (input, failure, log) = (input, failure, control.log)
      control.add(
        UpstreamControl.Link(
          subscription: TestSubscription(
            onRequest: { [weak control] _ in control?.called("request") },
            onCancel: { [weak control] in control?.called("cancel") }),
          sendValue: { number in
            log?.count(.fed)
            let value = input(number)
            var more = Subscribers.Demand.none
            ChildProcess.underWay("receive(_:)") { more = subscriber.receive(value) }
            return more
          },
          sendEnd: { fails in
            log?.count(.upstreamEnds)
            let completion: Subscribers.Completion<Failure> =
              fails ? failure.map { .failure($0) } ?? .finished : .finished
            ChildProcess.underWay("receive(completion:)") { subscriber.receive(completion: completion) }
          },
          offer: { subscription in
            ChildProcess.underWay("receive(subscription:)") { subscriber.receive(subscription: subscription) }
          }))
    }
  }
}

/// The failure of a verification's upstreams.
public enum VerificationError: Error, Equatable, Sendable {
  /// The upstream failed, because the check wanted it to.
  case failed
  /// The closure threw, because the check wanted it to.
  case thrown
}
