// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A pipeline with a cache in it, as the constant of a Sendable class.

import PenstockConcurrency

final class Cache {
  private var known: [Int: String] = [:]

  func name(of number: Int) -> String {
    if let name = known[number] { return name }
    known[number] = "\(number)"
    return "\(number)"
  }
}

final class Service: Sendable {
  let numbers = PassthroughSubject<Int, Never>()
  let names: AnySendablePublisher<String, Never>

  init() {
    #if FIXED
      names = numbers.sendable.map { "\($0)" }.eraseToAnySendablePublisher()
    #else
      let cache = Cache()
      names = numbers.sendable.map { cache.name(of: $0) }.eraseToAnySendablePublisher()
    #endif
  }
}

enum Program {
  static func run() async {
    let service = Service()
    let cancellable = service.names.sink { print($0) }
    let other = Elsewhere { service.numbers.send(1) }
    here { service.numbers.send(2) }
    other.wait()
    cancellable.cancel()
  }
}
