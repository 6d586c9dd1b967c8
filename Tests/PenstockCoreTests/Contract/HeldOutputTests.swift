// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Rule 2 for operators that hold an output of their own until it is requested: while the subscriber is being called on
/// one thread, a request of another thread does not deliver it.
struct HeldOutputTests {
  /// Fails upstream during the last delivery that was requested, and requests again.
  private func values(asking: @escaping (Recorder<Int, Never>) -> Void) -> (during: [Int], after: [Int]) {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, Never>(demand: .max(1))
    var during: [Int] = []
    recorder.onValue = { [unowned recorder] value in
      guard value == 1 else { return .none }
      subject.send(completion: .failure(.oops))
      asking(recorder)
      during = recorder.values
      return .none
    }
    subject.replaceError(with: 7).subscribe(recorder)
    subject.send(1)
    #expect(recorder.isFinished == (recorder.values.last == 7))
    return (during, recorder.values)
  }

  @Test func `The output for a nested end waits for the delivery when another thread asks`() {
    let values = values { recorder in elsewhere { recorder.request(.max(1)) } }
    #expect(values.during == [1])
    #expect(values.after == [1, 7])
  }

  @Test func `The output for a nested end comes at once when the delivering thread asks`() {
    let values = values { $0.request(.max(1)) }
    #expect(values.during == [1, 7])
    #expect(values.after == [1, 7])
  }

  @Test func `The output for a nested end is held when it is not asked for`() {
    let values = values { _ in }
    #expect(values.during == [1])
    #expect(values.after == [1])
  }

  @Test(arguments: [true, false])
  func `The output for an end during the introduction waits for it when another thread asks`(_ elsewhere: Bool) {
    let operators: [(AnyPublisher<Int, Never>) -> AnyPublisher<Int, Never>] = [
      { $0.replaceEmpty(with: 0).eraseToAnyPublisher() }, { $0.count().eraseToAnyPublisher() },
      { $0.collect().map(\.count).eraseToAnyPublisher() }, { $0.reduce(0, +).eraseToAnyPublisher() },
    ]
    for apply in operators {
      let subject = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>(demand: nil)
      var during: [Int] = []
      recorder.onSubscription = { [unowned recorder] subscription in
        subject.send(completion: .finished)
        if elsewhere {
          let recorder = recorder
          TestSupport.elsewhere { recorder.request(.max(1)) }
        } else {
          subscription.request(.max(1))
        }
        during = recorder.values
      }
      apply(subject.eraseToAnyPublisher()).subscribe(recorder)
      #expect(during == (elsewhere ? [] : [0]))
      #expect(recorder.values == [0])
      #expect(recorder.isFinished)
    }
  }

  @Test func `An output that waits for the delivery is dropped by a cancel`() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, Never>(demand: .max(1))
    recorder.onValue = { [unowned recorder] _ in
      subject.send(completion: .failure(.oops))
      let recorder = recorder
      elsewhere {
        recorder.request(.max(1))
        recorder.cancel()
      }
      return .none
    }
    subject.replaceError(with: 7).subscribe(recorder)
    subject.send(1)
    #expect(recorder.values == [1])
    #expect(recorder.completions.isEmpty)
  }
}
