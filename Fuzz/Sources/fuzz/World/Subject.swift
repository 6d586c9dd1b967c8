// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

/// What threads send to.
enum Source: @unchecked Sendable {
  case passthrough(PassthroughSubject<Item, Fault>)
  case current(CurrentValueSubject<Item, Fault>)
  case integers(PassthroughSubject<Int, Never>)
  case published(Model)
  case announcing(Bare)

  init(_ kind: SubjectKind) {
    switch kind {
    case .passthrough: self = .passthrough(PassthroughSubject())
    case .current: self = .current(CurrentValueSubject(.loose(0)))
    case .integers: self = .integers(PassthroughSubject())
    case .published: self = .published(Model())
    case .announcing: self = .announcing(Bare())
    }
  }

  var stream: Stream {
    switch self {
    case .passthrough(let subject): subject.eraseToAnyPublisher()
    case .current(let subject): subject.eraseToAnyPublisher()
    case .integers(let subject):
      subject.map { Item(code: $0) }.setFailureType(to: Fault.self).eraseToAnyPublisher()
    case .published(let model): model.$item.setFailureType(to: Fault.self).eraseToAnyPublisher()
    case .announcing(let object):
      object.objectWillChange.map { Item.loose(0) }.setFailureType(to: Fault.self).eraseToAnyPublisher()
    }
  }

  /// Sends one value; in the sender's code, as a user would.
  @inline(__always)
  func send(_ item: Item) {
    switch self {
    case .passthrough(let subject): subject.send(item)
    case .current(let subject): subject.send(item)
    case .integers(let subject): subject.send(Item.code(channel: item.channel, number: item.number))
    case .published(let model): model.item = item
    case .announcing(let object): object.objectWillChange.send()
    }
  }

  func send(completion: Subscribers.Completion<Fault>) {
    switch self {
    case .passthrough(let subject): subject.send(completion: completion)
    case .current(let subject): subject.send(completion: completion)
    case .integers(let subject): subject.send(completion: .finished)
    case .published, .announcing: break
    }
  }
}

final class Model: ObservableObject {
  @Published var item = Item.loose(0)
}

/// An object whose changes are announced by hand.
final class Bare: ObservableObject {
  let objectWillChange = ObservableObjectPublisher()
}
