// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Examined
import Penstock

/// A user's subscriber, compiled with each program, so that the compiler sees what it does.
final class Planned<Failure: Error>: Subscriber {
  let world: World
  let n: Int

  init(_ world: World, _ n: Int) {
    self.world = world
    self.n = n
  }

  func receive(subscription: any Subscription) { world.subscribed(n, subscription) }

  func receive(_ input: Int) -> Subscribers.Demand {
    world.value(n, input)
    return world.reply(n)
  }

  func receive(completion: Subscribers.Completion<Failure>) { world.end(n, completion) }
}
