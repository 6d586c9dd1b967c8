// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport

/// Forms that a user cannot distinguish, or that a user adds without meaning to change anything.
enum CombinedForm: String, CaseIterable, Sendable {
  case asWritten, erased, passingUpstreams, passingDownstream, ownSubscriber

  func combine<A: Publisher, B: Publisher>(
    _ a: A, _ b: B, by combining: CombiningOperator, for reader: some CombinedReader
  ) where A.Output == Int, B.Output == Int, A.Failure == B.Failure {
    switch self {
    case .asWritten, .passingDownstream, .ownSubscriber: combining.combine(a, b, for: reader)
    case .erased: combining.combine(a.eraseToAnyPublisher(), b.eraseToAnyPublisher(), for: reader)
    case .passingUpstreams:
      combining.combine(PassingPublisher(upstream: a), PassingPublisher(upstream: b), for: reader)
    }
  }
}

/// Subscribes to a combined publisher, in a form, and keeps what arrives.
final class CombinedRun: CombinedReader {
  let form: CombinedForm
  private(set) var signals: [String] = []
  /// Releases the subscription, which may continue.
  private var end: () -> Void = {}

  init(_ form: CombinedForm) { self.form = form }

  /// Returns the signals of a publisher that is combined with another one in a form.
  static func signals<Failure: Error>(
    of source: CombinedSource<Failure>, _ pairing: Pairing, _ combining: CombiningOperator, _ form: CombinedForm
  ) -> [String] {
    let run = CombinedRun(form)
    pairing.combine(source, by: combining, in: form, for: run)
    let signals = run.signals
    run.end()
    return signals
  }

  func read<P: Publisher>(_ publisher: P) {
    switch form {
    case .asWritten, .passingUpstreams: subscribe(to: publisher)
    case .erased: subscribe(to: publisher.eraseToAnyPublisher())
    case .passingDownstream: subscribe(to: PassingPublisher(upstream: publisher))
    case .ownSubscriber:
      let recorder = Recorder<P.Output, P.Failure>()
      recorder.onValue = { [unowned self] in
        record($0)
        return .none
      }
      recorder.onCompletion = { [unowned self] in record($0) }
      publisher.subscribe(recorder)
      end = {
        recorder.subscription?.cancel()
        recorder.releaseSubscriptions()
      }
    }
  }

  private func record<Failure: Error>(_ completion: Subscribers.Completion<Failure>) {
    if case .failure(let error) = completion { signals.append("\(error)") } else { signals.append("finished") }
  }

  /// Records a value; without reflection, which would take most of the time.
  private func record<Value>(_ value: Value) {
    switch value {
    case let value as Int: signals.append(value.description)
    case let value as (Int, Int): signals.append("(\(value.0), \(value.1))")
    case let value as (Int, Int, Int): signals.append("(\(value.0), \(value.1), \(value.2))")
    default: signals.append("\(value)")
    }
  }

  private func subscribe<P: Publisher>(to publisher: P) {
    let cancellable = publisher.sink(
      receiveCompletion: { [unowned self] in record($0) }, receiveValue: { [unowned self] in record($0) })
    end = { cancellable.cancel() }
  }
}

/// A user's own publisher that passes everything on, with its own subscriber and subscription.
struct PassingPublisher<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(PassingSubscriber(downstream: subscriber))
  }
}

private struct PassingSubscriber<Downstream: Subscriber>: Subscriber {
  let downstream: Downstream
  let combineIdentifier = CombineIdentifier()

  func receive(subscription: any Subscription) {
    downstream.receive(subscription: PassingSubscription(upstream: subscription))
  }

  func receive(_ input: Downstream.Input) -> Subscribers.Demand { downstream.receive(input) }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) { downstream.receive(completion: completion) }
}

private struct PassingSubscription: Subscription {
  let upstream: any Subscription
  let combineIdentifier = CombineIdentifier()

  func request(_ demand: Subscribers.Demand) { upstream.request(demand) }

  func cancel() { upstream.cancel() }
}
