// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A subject whose values aren't Sendable, in two actors.

import PenstockConcurrency

#if FIXED
  typealias Value = Int
#else
  typealias Value = Model
#endif

actor Sender {
  private let values: PassthroughSubject<Value, Never>

  init(_ values: PassthroughSubject<Value, Never>) { self.values = values }

  func send(_ value: sending Value) { values.send(value) }
}

actor Receiver {
  private var cancellable: AnyCancellable?

  func follow(_ values: PassthroughSubject<Value, Never>) { cancellable = values.sendable.sink { print($0) } }
}

enum Program {
  static func run() async {
    let values = PassthroughSubject<Value, Never>()
    let sender = Sender(values)
    let receiver = Receiver()
    await receiver.follow(values)
    await sender.send(Value())
  }
}
