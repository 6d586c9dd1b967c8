// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

extension OperatorSpec {
  /// Sources and subjects, each between a stream and its subscriber.
  static let sources: [OperatorSpec] = [
    .init("create", requests: .more, traits: [.buffers, .releasesSubscriber]) { upstream in
      AnyPublisher<Int, TestError>.create { emitter in
        upstream.sink(receiveCompletion: { emitter.send(completion: $0) }, receiveValue: { emitter.send($0) })
      }
    },
    .init("create, on demand", traits: [.buffers, .releasesSubscriber]) { upstream in
      AnyPublisher<Int, TestError>.create { emitter in
        let slot = Locked<(any Subscription)?>(nil)
        let subscriber = AnySubscriber<Int, TestError>(
          receiveSubscription: { subscription in slot.change { $0 = subscription } },
          receiveValue: {
            emitter.send($0)
            return .none
          }, receiveCompletion: { emitter.send(completion: $0) })
        upstream.subscribe(subscriber)
        emitter.onDemand { slot.value?.request($0) }
        return AnyCancellable { slot.change { $0.take() }?.cancel() }
      }
    },
    .init("using") { upstream in
      Publishers.using {
        upstream
      } cleanup: { _ in
      } publisher: {
        $0
      }.eraseToAnyPublisher()
    },
    .init("ReplaySubject", requests: .more, traits: [.buffers, .releasesSubscriber]) {
      $0.multicast(subject: ReplaySubject<Int, TestError>()).autoconnect()
    },
  ]
}

/// Sources that stand in for an operator, together with others; `OperatorContractTests` tests their contract.
@Suite struct SourcePairTests {
  @Test(arguments: OperatorSpec.sources)
  func `Beside every kind of operator they deliver the same, however they are asked`(_ spec: OperatorSpec) {
    for other in OperatorSpec.kinds + OperatorSpec.sources {
      let faults = PairRun.check(spec, other) + PairRun.check(other, spec)
      #expect(faults.isEmpty)
    }
  }
}
