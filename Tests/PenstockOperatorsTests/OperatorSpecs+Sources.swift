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

/// The contract of operators, for sources that stand for one.
@Suite struct SourceContractTests {
  @Test(arguments: OperatorSpec.sources, [0, 1, 7])
  func `However values are asked for, they are the same`(_ spec: OperatorSpec, _ count: Int) {
    OperatorContract.valuesDoNotDependOnRequests(spec, count: count)
  }

  @Test(arguments: OperatorSpec.sources)
  func `They deliver within demand, and request what is requested`(_ spec: OperatorSpec) {
    OperatorContract.deliversWithinDemand(spec)
    if spec.requests == .whatIsRequested { OperatorContract.requestsWhatIsRequested(spec) }
  }

  @Test(arguments: OperatorSpec.sources)
  func `A cancel during a delivery is the end`(_ spec: OperatorSpec) {
    OperatorContract.endsWithCancelDuringValue(spec)
    OperatorContract.endsWithCancelDuringSubscription(spec)
  }

  @Test(arguments: OperatorSpec.sources.filter { !$0.traits.contains(.buffers) }, OperatorContract.End.allCases)
  func `Nothing is left in memory`(_ spec: OperatorSpec, _ end: OperatorContract.End) {
    OperatorContract.leavesNothingInMemory(spec, after: end)
  }

  @Test(arguments: OperatorSpec.sources)
  func `A hundred thousand values leave the stack as it was`(_ spec: OperatorSpec) {
    OperatorContract.leavesStackAsItWas(spec)
  }

  @Test(arguments: OperatorSpec.sources)
  func `Other threads may request and cancel at any time`(_ spec: OperatorSpec) {
    OperatorContract.letsOtherThreadsActDuringValue(spec)
    OperatorContract.survivesRaces(spec)
  }

  @Test(arguments: OperatorSpec.sources)
  func `Beside every kind of operator they deliver the same, however they are asked`(_ spec: OperatorSpec) {
    for other in OperatorSpec.kinds + OperatorSpec.sources {
      let faults = PairRun.check(spec, other) + PairRun.check(other, spec)
      #expect(faults.isEmpty)
    }
  }
}
