// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Penstock

/// The actions of a thread or a task.
///
/// Both are written out, since a task's code is compiled differently: inlined code may run on one thread before an
/// `await` and on another one after it.
struct Performer: Sendable {
  let index: Int
  let actor: Actor
  let world: World
  let parts: Unchecked<Parts>

  func runOnThread() {
    var numbers = [Int](repeating: 0, count: World.subjectLimit)
    for step in actor.steps {
      guard !world.isExhausted else { return }
      switch step {
      case .send(let subject, let count, let pauseEvery, let act, let actEvery):
        let source = parts.value.sources[subject]
        for turn in 1...count {
          guard !world.isExhausted else { return }
          numbers[subject] += 1
          source.send(item(numbers[subject], to: subject, act: actEvery > 0 && turn % actEvery == 0 ? act : nil))
          if pauseEvery > 0, turn % pauseEvery == 0 { sched_yield() }
        }
      case .pause(let times): for _ in 0..<times { sched_yield() }
      default: perform(step)
      }
    }
  }

  func runInTask() async {
    var numbers = [Int](repeating: 0, count: World.subjectLimit)
    for step in actor.steps {
      guard !world.isExhausted else { return }
      switch step {
      case .send(let subject, let count, let pauseEvery, let act, let actEvery):
        let first = numbers[subject] + 1
        numbers[subject] += count
        let every = (pause: max(1, pauseEvery), act: actEvery)
        switch parts.value.sources[subject] {
        case .passthrough(let stream): await feed(stream, subject, first..<first + count, every, act)
        case .current(let stream): await feed(stream, subject, first..<first + count, every, act)
        case .integers(let stream): await feed(stream, subject, first..<first + count, every)
        case .published(let model):
          for number in first..<first + count {
            model.item = item(number, to: subject, act: isDue(number, first, actEvery) ? act : nil)
            if number % every.pause == 0 { await Task.yield() }
          }
        case .announcing(let object):
          for number in first..<first + count {
            object.objectWillChange.send()
            if number % every.pause == 0 { await Task.yield() }
          }
        }
      case .pause(let times): for _ in 0..<times { await Task.yield() }
      default: perform(step)
      }
    }
  }

  /// Sends several values between two suspensions, as a user's loop does; nothing else is in the loop, so that the
  /// optimiser may move out of it whatever it considers constant.
  private func feed(
    _ stream: PassthroughSubject<Item, Fault>, _ subject: Int, _ numbers: Range<Int>, _ every: (pause: Int, act: Int),
    _ act: Act?
  ) async {
    for number in numbers {
      stream.send(item(number, to: subject, act: isDue(number, numbers.lowerBound, every.act) ? act : nil))
      if number % every.pause == 0 { await Task.yield() }
    }
  }

  private func feed(
    _ stream: CurrentValueSubject<Item, Fault>, _ subject: Int, _ numbers: Range<Int>, _ every: (pause: Int, act: Int),
    _ act: Act?
  ) async {
    for number in numbers {
      stream.send(item(number, to: subject, act: isDue(number, numbers.lowerBound, every.act) ? act : nil))
      if number % every.pause == 0 { await Task.yield() }
    }
  }

  private func feed(
    _ stream: PassthroughSubject<Int, Never>, _ subject: Int, _ numbers: Range<Int>, _ every: (pause: Int, act: Int)
  ) async {
    let channel = index * World.subjectLimit + subject
    for number in numbers {
      stream.send(Item.code(channel: channel, number: number))
      if number % every.pause == 0 { await Task.yield() }
    }
  }

  private func perform(_ step: Step) {
    switch step {
    case .act(let act): world.perform(act)
    case .subscribe(let pipeline): parts.value.subscribe(pipeline)
    case .advance(let milliseconds, let times):
      for _ in 0..<times { parts.value.advance(milliseconds: milliseconds) }
    case .send, .pause: break
    }
  }

  private func isDue(_ number: Int, _ first: Int, _ every: Int) -> Bool {
    every > 0 && (number - first + 1) % every == 0
  }

  private func item(_ number: Int, to subject: Int, act: Act?) -> Item {
    Item(channel: index * World.subjectLimit + subject, number: number, act: act, in: world)
  }
}
