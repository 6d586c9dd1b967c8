// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport

extension Machine {
  /// One upstream after the other.
  static let sequential: [Machine] = [
    Machine("append: the first ends while the second sends", preemptions: 3) { exploration in
      let (first, second, recorder) = (Subject(), Subject(), exploration.recorder())
      first.append(second).subscribe(recorder)
      return Script([
        {
          first.send(1)
          first.send(completion: .finished)
        },
        { second.send(2) },
      ]) {
        second.send(3)
        return recorder.broken()
          + expect([[1, 2, 3], [1, 3]].contains(recorder.values), "\(recorder.values)")
      }
    },
    Machine("append: the first ends in its own delivery while the second sends") { exploration in
      let (first, second, recorder) = (Subject(), Subject(), exploration.recorder())
      first.append(second).subscribe(recorder)
      let record = recorder.onValue!
      recorder.onValue = { value in
        if value == 1 { first.send(completion: .finished) }
        return record(value)
      }
      return Script([{ first.send(1) }, { (2...3).forEach(second.send) }]) {
        second.send(4)
        return recorder.broken() + expect(recorder.values.first == 1 && recorder.values.last == 4, "\(recorder.values)")
          + expect(recorder.values == recorder.values.sorted(), "\(recorder.values)")
      }
    },
    Machine("catch: a failure in a delivery while the replacement sends and another thread requests") { exploration in
      let (first, second, recorder) = (Subject(), Subject(), exploration.recorder(demand: .max(1)))
      first.catch { _ in second }.subscribe(recorder)
      let record = recorder.onValue!
      recorder.onValue = { value in
        if value == 1 { first.send(completion: .failure(.oops)) }
        return record(value)
      }
      return Script([
        { first.send(1) },
        { (2...3).forEach(second.send) },
        { recorder.request(.max(1)) },
      ]) { recorder.broken() + expect([[1], [1, 2], [1, 3]].contains(recorder.values), "\(recorder.values)") }
    },
    Machine("retry: a failure while another thread requests and a third cancels") { exploration in
      let (first, recorder) = (Subject(), exploration.recorder(demand: .max(1)))
      nonisolated(unsafe) var attempts = 0
      Deferred { () -> AnyPublisher<Int, TestError> in
        attempts += 1
        return attempts == 1
          ? first.eraseToAnyPublisher()
          : Record(output: [7, 8], completion: .finished).eraseToAnyPublisher()
      }.retry(1).subscribe(recorder)
      return Script([
        {
          first.send(1)
          first.send(completion: .failure(.oops))
        },
        { recorder.request(.max(1)) },
        { exploration.cancel(recorder) },
      ]) { recorder.broken() + expect(recorder.values.count <= 2, "\(recorder.values)") }
    },
  ]
}
