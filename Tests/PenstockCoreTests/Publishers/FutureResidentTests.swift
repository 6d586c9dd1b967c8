// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// An event that ends the wait for a result.
private enum End: CaseIterable, Sendable {
  case cancel, release, value, failure, cancelInValue
}

/// A sink that waits for a future's result; its closures are in the future's subscription.
@Suite struct FutureResidentTests {
  @Test(arguments: End.allCases, [false, true])
  fileprivate func `What a waiting sink captures is released at the end, though everybody is alive`(
    _ end: End, _ isErased: Bool
  ) {
    var graveyard = Graveyard()
    let pledge = Pledge<Int, TestError>()
    var events: [String] = []
    var cancellable: AnyCancellable?
    do {
      let canaries = (
        graveyard.watch(Canary(), "completion"), graveyard.watch(Canary(), "value"), graveyard.watch(Canary(), "map")
      )
      func sink(_ publisher: some Publisher<Int, TestError>) -> AnyCancellable {
        publisher.map { value in withExtendedLifetime(canaries.2) { value &* 10 } }.sink(
          receiveCompletion: { completion in withExtendedLifetime(canaries.0) { events.append("\(completion)") } },
          receiveValue: { value in
            withExtendedLifetime(canaries.1) { events.append("\(value)") }
            if end == .cancelInValue { cancellable?.cancel() }
          })
      }
      cancellable = isErased ? sink(pledge.future.eraseToAnyPublisher()) : sink(pledge.future)
    }
    #expect(graveyard.survivors.count == 3)
    switch end {
    case .cancel: cancellable?.cancel()
    case .release: cancellable = nil
    case .value, .cancelInValue: pledge.resolve(.success(1))
    case .failure: pledge.resolve(.failure(.oops))
    }
    #expect(graveyard.survivors == [])
    pledge.resolve(.success(2))
    let expected: [String] =
      switch end {
      case .cancel, .release: []
      case .value: ["10", "finished"]
      case .failure: ["failure(\(TestError.oops))"]
      case .cancelInValue: ["10"]
      }
    #expect(events == expected)
    withExtendedLifetime((cancellable, pledge)) {}
  }

  @Test func `Sinks and other subscribers get the result in the order in which they came, whoever has left`() {
    let pledge = Pledge<Int, Never>()
    var order: [Int] = []
    var cancellables: [AnyCancellable] = []
    for number in 0..<200 {
      if number % 3 == 0 {
        let recorder = Recorder<Int, Never>()
        recorder.onValue = { _ in
          order.append(number)
          return .none
        }
        pledge.future.subscribe(recorder)
        cancellables.append(AnyCancellable { recorder.cancel() })
      } else {
        cancellables.append(pledge.future.sink { _ in order.append(number) })
      }
    }
    // More than half leave, so that the gaps are closed.
    let leaving = (0..<200).filter { $0 % 7 != 2 }
    for number in leaving.reversed() { cancellables[number].cancel() }
    for number in 200..<205 { cancellables.append(pledge.future.sink { _ in order.append(number) }) }
    cancellables[202].cancel()
    #expect(pledge.future.waitingCount == 200 - leaving.count + 4)
    pledge.resolve(.success(1))
    #expect(order == (0..<200).filter { $0 % 7 == 2 } + [200, 201, 203, 204])
    #expect(pledge.future.waitingCount == 0)
  }

  @Test func `A sink that is cancelled by another one's value gets nothing`() {
    let pledge = Pledge<Int, Never>()
    var second: AnyCancellable?
    var values: [Int] = []
    let first = pledge.future.sink {
      values.append($0)
      second?.cancel()
    }
    second = pledge.future.sink { values.append($0 * 10) }
    pledge.resolve(.success(1))
    #expect(values == [1])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `Sinks that attach and cancel while the promise is called get the result once, or not at all`() {
    for _ in 0..<200 {
      let pledge = Pledge<Int, Never>()
      let (kept, left) = (Locked(0), Locked(0))
      let cancellables = Locked<[AnyCancellable]>([])
      @Sendable func attach(_ count: Locked<Int>) -> AnyCancellable {
        pledge.future.sink { value in count.change { $0 += value } }
      }
      onThreads([
        { pledge.resolve(.success(1)) },
        {
          for _ in 0..<2 {
            let sink = attach(kept)
            cancellables.change { $0.append(sink) }
          }
        },
        { for _ in 0..<2 { attach(left).cancel() } },
      ])
      #expect(kept.value == 2)
      #expect(left.value <= 2)
      #expect(pledge.future.waitingCount == 0)
    }
  }

  @Test func `A mirror of a waiting subscription shows the future, and nothing when it is over`() {
    let pledge = Pledge<Int, Never>()
    let recorder = Recorder<Int, Never>()
    pledge.future.subscribe(recorder)
    let mirror = Mirror(reflecting: recorder.subscriptions[0])
    #expect(mirror.children.first { $0.label == "parent" }?.value as? Future<Int, Never> === pledge.future)
    #expect(mirror.children.first { $0.label == "downstream" }?.value as? Recorder<Int, Never> === recorder)
    let subscription = recorder.subscriptions[0]
    pledge.resolve(.success(1))
    let after = Mirror(reflecting: subscription)
    #expect(after.children.first { $0.label == "downstream" }?.value as? Recorder<Int, Never> == nil)
    #expect(after.children.first { $0.label == "parent" }?.value as? Future<Int, Never> == nil)
  }
}
