// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

/// An object that owns its subscription, as view models do.
public final class Owner {
  let n: Int
  unowned let world: World
  private var cancellables: [AnyCancellable] = []
  var isAttached: Bool { !cancellables.isEmpty }

  init(_ n: Int, _ world: World) {
    self.n = n
    self.world = world
  }

  public func keep(_ cancellable: AnyCancellable) { cancellables.append(cancellable) }

  func cancel() -> Bool {
    cancellables.forEach { $0.cancel() }
    return isAttached
  }

  public func value(_ value: Int) { world.value(n, value) }

  public func end<Failure>(_ completion: Subscribers.Completion<Failure>) { world.end(n, completion) }
}

/// An object that only a closure keeps.
public final class Tracer {
  let n: Int
  let world: World

  init(_ n: Int, _ world: World) {
    self.n = n
    self.world = world
  }

  public func value(_ value: Int) { world.value(n, value) }

  public func end<Failure>(_ completion: Subscribers.Completion<Failure>) { world.end(n, completion) }

  deinit {
    world.note("freed \(n)")
    world.fire(1020 + world.attachments[n])
  }
}

/// An object whose property is assigned to.
public final class Label {
  let n: Int
  unowned let world: World
  public var value = 0 { didSet { world.value(n, value) } }

  init(_ n: Int, _ world: World) {
    self.n = n
    self.world = world
  }
}

/// The stream to which `print` writes.
public struct PrintStream: TextOutputStream {
  let site: Int
  let world: World

  public mutating func write(_ string: String) {
    // Lines about subscriptions show the name of the publisher, and demand is not compared.
    guard string.contains("receive") && !string.contains("subscription") else { return }
    world.note("print \(site): \(string)")
    world.fire(site)
  }
}

extension World {
  public func owner(_ n: Int) -> Owner {
    let owner = Owner(n, self)
    owners[n] = owner
    return owner
  }

  public func tracer(_ n: Int) -> Tracer { Tracer(n, self) }

  public func label(_ n: Int) -> Label { Label(n, self) }

  public func stream(_ site: Int) -> PrintStream { PrintStream(site: site, world: self) }

  /// A subject that is subscribed to already.
  public func output<Failure>(_ n: Int, _ failure: Failure.Type) -> PassthroughSubject<Int, Failure> {
    let subject = PassthroughSubject<Int, Failure>()
    bag.append(subject.sink(receiveCompletion: { self.end(n, $0) }, receiveValue: { self.value(n, $0) }))
    return subject
  }

  /// Observes the published property that is assigned to.
  public func watch(_ n: Int) { bag.append(m.$z.dropFirst().sink { self.value(n, $0) }) }

  /// Takes the subscription of a subscriber with a plan.
  public func subscribed(_ n: Int, _ subscription: any Subscription) {
    note("subscription \(n)")
    subscriptions[n] = subscription
    fire(1030 + attachments[n])
    let plan = script.plans[attachments[n]] ?? Script.Plan()
    let first = plan.first.map(Subscribers.Demand.max) ?? .unlimited
    if first > .none { subscription.request(first) }
  }

  /// The demand that follows a value.
  public func reply(_ n: Int) -> Subscribers.Demand {
    guard let plan = script.plans[attachments[n]], let reply = plan.reply, reply > 0 else { return .none }
    if !plan.isInside { return .max(reply) }
    subscriptions[n]?.request(.max(reply))
    return .none
  }

  public func erased<Failure>(_ n: Int, _ failure: Failure.Type) -> AnySubscriber<Int, Failure> {
    AnySubscriber(
      receiveSubscription: { self.subscribed(n, $0) },
      receiveValue: {
        self.value(n, $0)
        return self.reply(n)
      },
      receiveCompletion: { self.end(n, $0) })
  }
}

/// Returns a number for an array of values.
@inline(never)
public func joined(_ values: [Int]) -> Int { values.reduce(7) { $0 &* 31 &+ $1 } }

extension Int {
  public var plusOne: Int { self &+ 1 }
}
