// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension StepOperator {
  /// Operators whose outputs may have to wait for demand.
  static let queued: [StepOperator] = [
    .init("replaceEmpty", "{0}.replaceEmpty(with: #)", { QueuedMachine(.replaceEmpty($0)) }) {
      $0[0].replaceEmpty(with: $0.number)
    },
    .init(
      "replaceError", "{0}.replaceError(with: #).setFailureType(to: ModelError.self)",
      { QueuedMachine(.replaceError($0)) }
    ) { $0[0].replaceError(with: $0.number).setFailureType(to: ModelError.self) },
    .init("takeLast", "{0}.takeLast(#)", { QueuedMachine(.takeLast($0)) }) {
      $0[0].takeLast($0.number).eraseToAnyPublisher()
    },
    .init("collect(n)", "{0}.collect(#).map { $0.reduce(0, &+) }", { QueuedMachine(.collect($0)) }) {
      $0[0].collect($0.number).map { $0.reduce(0, &+) }
    },
    .init("intersperse", "{0}.intersperse(#)", { QueuedMachine(.intersperse($0)) }) {
      $0[0].intersperse($0.number).eraseToAnyPublisher()
    },
    .init(
      "materialize", "{0}.materialize().map { number(of: $0) }.setFailureType(to: ModelError.self)",
      { _ in QueuedMachine(.materialize) }
    ) { $0[0].materialize().map { number(of: $0) }.setFailureType(to: ModelError.self).eraseToAnyPublisher() },
    .init(
      "mapToResult", "{0}.mapToResult().map { number(of: $0) }.setFailureType(to: ModelError.self)",
      { _ in QueuedMachine(.mapToResult) }
    ) { $0[0].mapToResult().map { number(of: $0) }.setFailureType(to: ModelError.self).eraseToAnyPublisher() },
    .init(
      "buffer(.byRequest, .dropNewest)", "{0}.buffer(size: #, prefetch: .byRequest, whenFull: .dropNewest)",
      { BufferMachine($0, keepsFull: false, .dropNewest) }
    ) { $0[0].buffer(size: $0.number, prefetch: .byRequest, whenFull: .dropNewest) },
    .init(
      "buffer(.byRequest, .dropOldest)", "{0}.buffer(size: #, prefetch: .byRequest, whenFull: .dropOldest)",
      { BufferMachine($0, keepsFull: false, .dropOldest) }
    ) { $0[0].buffer(size: $0.number, prefetch: .byRequest, whenFull: .dropOldest) },
    .init(
      "buffer(.byRequest, .customError)",
      "{0}.buffer(size: #, prefetch: .byRequest, whenFull: .customError { ModelError() })",
      { BufferMachine($0, keepsFull: false, .fail) }
    ) { $0[0].buffer(size: $0.number, prefetch: .byRequest, whenFull: .customError { ModelError() }) },
    .init(
      "buffer(.keepFull)", "{0}.buffer(size: #, prefetch: .keepFull, whenFull: .dropNewest)",
      { BufferMachine($0, keepsFull: true, .dropNewest) }
    ) { $0[0].buffer(size: $0.number, prefetch: .keepFull, whenFull: .dropNewest) },
  ]
}

/// An event as a number.
func number(of event: Subscribers.Event<Int, ModelError>) -> Int {
  switch event {
  case .value(let value): value &* 2
  case .completion(.finished): -1
  case .completion(.failure): -2
  }
}

/// A result as a number: that of the event that it stands for.
func number(of result: Result<Int, ModelError>) -> Int {
  switch result {
  case .success(let value): value &* 2
  case .failure: -2
  }
}
