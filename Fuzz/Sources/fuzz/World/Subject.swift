// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

/// A subject to which threads send.
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

  /// Sends one value; inlined into the sender's code, like a user's call.
  @inline(__always)
  func send(_ item: Item) {
    switch self {
    case .passthrough(let subject): subject.send(item)
    case .current(let subject): subject.send(item)
    case .integers(let subject):
      // Not in the caller's code: a function with a single caller, such as a task's loop, would be inlined there.
      let anySubject: any Subject<Int, Never> = subject
      forward(Item.code(channel: item.channel, number: item.number), to: anySubject)
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

@inline(never)
private func forward(_ number: Int, to subject: any Subject<Int, Never>) { subject.send(number) }

final class Model: ObservableObject {
  @Published var item = Item.loose(0)
}

/// An object whose changes are announced explicitly.
final class Bare: ObservableObject {
  let objectWillChange = ObservableObjectPublisher()
}
