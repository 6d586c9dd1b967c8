// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Penstock
import PenstockConcurrency
import PenstockOperators
import PenstockTesting
import Synchronization
import Testing

/// A pipeline that is stuck, and the link that holds it up, as somebody who knows Combine would name it.
///
/// The culprit is the first link, seen from downstream, that asks for nothing, or that holds values, while something
/// waits upstream of it or in it.
struct StuckPipeline: CustomTestStringConvertible, Sendable {
  /// A sentence that says what is wrong.
  let name: String

  /// The name that `print()` prints for the operator that holds it up, or the name of the end: `Sink` for every sink of
  /// Combine, `PausableSink`, `values` for a task, or the name of a subscriber's type.
  let culprit: String

  /// Builds the pipeline, and returns once it is stuck.
  let make: @Sendable () async -> Running

  var testDescription: String { name }

  init(_ name: String, heldUpBy culprit: String, make: @escaping @Sendable () async -> Running) {
    self.name = name
    self.culprit = culprit
    self.make = make
  }

  /// All twenty pipelines.
  static let all = ends + tasks + operators + flattening + schedulers
}

// MARK: Ends that do not ask

extension StuckPipeline {
  private static let ends = [
    // The end has asked for nothing, so it is the first link that holds anything up. Because of that, the buffer before
    // it holds three values, and has dropped two.
    StuckPipeline("A buffer is full, since its subscriber asks for nothing", heldUpBy: "SilentSubscriber") {
      let delivered = Tally()
      let levels = PassthroughSubject<Int, Never>()
      let end = SilentSubscriber(delivered)
      levels.buffer(size: 3, prefetch: .byRequest, whenFull: .dropOldest).subscribe(end)
      for level in 1...5 { levels.send(level) }
      return Running(delivered, keeping: [levels, end], release: { end.request(.max(3)) })
    },

    // Two values were asked for, and both have come. The links between pass requests on, and there is none: the
    // sequence has eight values left.
    StuckPipeline("A subscriber asked for two values, and never again", heldUpBy: "FrugalSubscriber") {
      let delivered = Tally()
      let end = FrugalSubscriber(delivered, asksFor: 2)
      numbers(10).map { $0 * 2 }.filter { $0 > 0 }.eraseToAnyPublisher().subscribe(end)
      return Running(delivered, keeping: [end], release: { end.request(.max(1)) })
    },

    // The subject inside share asks upstream for everything as soon as anybody asks it. The only subscriber does not,
    // and it is the first link seen from downstream.
    StuckPipeline("A shared sequence waits for its subscriber to ask", heldUpBy: "SilentSubscriber") {
      let delivered = Tally()
      let end = SilentSubscriber(delivered)
      numbers(5).share().subscribe(end)
      return Running(delivered, keeping: [end], release: { end.request(.unlimited) })
    },

    // Merge asks each upstream for one value in advance, and holds it. It would hand over all of them, but the end asks
    // for nothing, and it comes before Merge.
    StuckPipeline("Three merged sequences wait with a value each", heldUpBy: "SilentSubscriber") {
      let delivered = Tally()
      let end = SilentSubscriber(delivered)
      numbers(3).merge(with: numbers(4), numbers(5)).map { $0 + 1 }.filter { $0 > 0 }.map { $0 * 2 }.subscribe(end)
      return Running(delivered, keeping: [end], release: { end.request(.max(4)) })
    },

    // A pausable sink asks for one value at a time, and for no more once its closure has said false. The sequence has
    // four values left.
    StuckPipeline("A pausable sink has paused after two values", heldUpBy: "PausableSink") {
      let delivered = Tally()
      let end = Unchecked(
        numbers(6).map { $0 - 1 }.eraseToAnyPublisher().pausableSink(receiveCompletion: { _ in }) { _ in
          delivered.add()
          return delivered.count != 2
        })
      return Running(delivered, keeping: [end], release: { end.value.resume() }, end: { end.value.cancel() })
    },

    // The sink has asked for two values, which wait for the actor. It asks for two more when the actor has taken them,
    // and the actor's executor runs nothing. The sequence has four values left.
    StuckPipeline("A sink has reached its limit, since its actor is blocked", heldUpBy: "Sink") {
      let delivered = Tally()
      let actor = BlockedActor()
      let end = numbers(6).map { $0 * 2 }.filter { $0 > 0 }.sink(on: actor, limit: 2) { _, _ in delivered.add() }
      return Running(
        delivered, keeping: [end, actor],
        release: {
          actor.executor.unblock()
          await delivered.reached(6)
        },
        end: { actor.executor.unblock() })
    },
  ]
}

// MARK: Tasks that do not take

extension StuckPipeline {
  private static let tasks = [
    // An asynchronous sequence asks for one value for each call of next(). One call has been made, the iterator is
    // kept, and nobody calls again: four values are left.
    StuckPipeline("A task has taken one value, and does not take another", heldUpBy: "values") {
      let delivered = Tally()
      let task = TakingTask(numbers(5).values, delivered)
      await task.take()
      return Running(delivered, keeping: [task], release: { await task.take() }, end: { task.stop() })
    },

    // The sequence asks for as many values as fit. They have come, nobody takes them, and so no more are asked for.
    StuckPipeline("A task has left the buffer of its loop full", heldUpBy: "values") {
      let delivered = Tally()
      let words = numbers(20).map { String($0) }.eraseToAnyPublisher()
      let task = TakingTask(words.values(buffering: .suspending(2)), delivered)
      await task.take()
      return Running(delivered, keeping: [task], release: { await task.take() }, end: { task.stop() })
    },
  ]
}

// MARK: Operators that wait for a partner or a connection

extension StuckPipeline {
  private static let operators = [
    // The sink has asked for everything, and Zip too. Zip holds three values of its first side; its second side, a view
    // of the same stream, lets nothing through, so no pair is complete.
    StuckPipeline("A stream is zipped with a view of itself that is empty", heldUpBy: "Zip") {
      let delivered = Tally()
      let levels = PassthroughSubject<Int, Never>()
      let shared = levels.share()
      let alarms = shared.filter { $0 < 0 }.map { "\($0)" }.eraseToAnyPublisher()
      let end = shared.zip(alarms).sink { _ in delivered.add() }
      for level in 1...3 { levels.send(level) }
      return Running(delivered, keeping: [levels, end], release: { levels.send(-1) })
    },

    // Both sinks have asked for everything. Multicast has not been connected, so it has not even subscribed to the
    // sequence, whose values nobody asks for.
    StuckPipeline("A multicast with two sinks has never been connected", heldUpBy: "Multicast") {
      let delivered = Tally()
      let shared = numbers(4).multicast { PassthroughSubject<Int, Never>() }
      let first = shared.sink { _ in delivered.add() }
      let second = shared.map { -$0 }.sink { _ in delivered.add() }
      let connectable = Unchecked(shared)
      return Running(delivered, keeping: [first, second], release: { _ = connectable.value.connect() })
    },
  ]
}

// MARK: Flattening at its limit

extension StuckPipeline {
  private static let flattening = [
    // The sink asks for everything. FlatMap has two inner publishers that never end, and asks upstream for another
    // value only when one of them has ended: the sequence has eight left. The links between are transparent.
    StuckPipeline("Two streams that never end fill a flatMap", heldUpBy: "FlatMap") {
      let delivered = Tally()
      let quiet = PassthroughSubject<Int, Never>()
      let end = numbers(10).map { $0 * 3 }.filter { $0 > 0 }
        .flatMap(maxPublishers: .max(2)) { Just($0).append(quiet) }
        .map { $0 + 1 }
        .sink { _ in delivered.add() }
      return Running(delivered, keeping: [quiet, end], release: { quiet.send(completion: .finished) })
    },

    // Prefix passes the sink's demand on and holds nothing, and its trigger is silent. FlatMap is at its limit of one
    // and asks for nothing, so that three values wait in the buffer.
    StuckPipeline("A buffer fills behind a flatMap, up to a trigger that does not come", heldUpBy: "FlatMap") {
      let delivered = Tally()
      let (jobs, quiet) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let trigger = PassthroughSubject<Void, Never>()
      let end = jobs.buffer(size: 8, prefetch: .byRequest, whenFull: .dropNewest)
        .flatMap(maxPublishers: .max(1)) { Just($0).append(quiet) }
        .prefix(untilOutputFrom: trigger)
        .sink { _ in delivered.add() }
      for job in 1...4 { jobs.send(job) }
      return Running(delivered, keeping: [jobs, quiet, trigger, end], release: { quiet.send(completion: .finished) })
    },

    // CombineLatest has asked both sides for everything, has a value of each, and has delivered the pair: it waits for
    // nothing but news. One side has none because FlatMap is at its limit before a sequence with nine values left.
    StuckPipeline("One side of a combineLatest comes from a flatMap at its limit", heldUpBy: "FlatMap") {
      let delivered = Tally()
      let (unit, quiet) = (CurrentValueSubject<String, Never>("m"), PassthroughSubject<Int, Never>())
      let end = numbers(10).eraseToAnyPublisher()
        .flatMap(maxPublishers: .max(1)) { Just($0).append(quiet) }
        .eraseToAnyPublisher()
        .combineLatest(unit.eraseToAnyPublisher())
        .map { "\($0) \($1)" }
        .sink { _ in delivered.add() }
      return Running(delivered, keeping: [unit, quiet, end], release: { quiet.send(completion: .finished) })
    },

    // Three tasks run, none returns, and so the sequence, which has seven values left, is not asked.
    StuckPipeline("The tasks of a mapAsync do not return", heldUpBy: "MapAsync") {
      let (delivered, gate) = (Tally(), TaskGate())
      let end = numbers(10)
        .mapAsync(maxTasks: .max(3)) { number in
          await gate.pass()
          return number
        }
        .sink { _ in delivered.add() }
      await gate.arrivals.reached(3)
      return Running(
        delivered, keeping: [end],
        release: {
          gate.open()
          await delivered.reached(10)
        },
        end: { gate.open() })
    },

    // The values of the second publisher have come, and FlatMapSequential holds them until the first has ended, which
    // it never does. For the same reason the third value is not asked for.
    StuckPipeline("A stream's values wait for their turn behind one that never ends", heldUpBy: "FlatMapSequential") {
      let delivered = Tally()
      let quiet = PassthroughSubject<Int, Never>()
      let end = numbers(5)
        .flatMapSequential(maxPublishers: .max(2), prefetch: 4) { number in
          number == 1 ? quiet.eraseToAnyPublisher() : numbers(3).map { $0 * number }.eraseToAnyPublisher()
        }
        .sink { _ in delivered.add() }
      return Running(delivered, keeping: [quiet, end], release: { quiet.send(completion: .finished) })
    },

    // The outer flatMap is at its limit of two and asks the sequence for no third value: it is the first seen from
    // downstream. Each of its inner publishers is a flatMap at its limit, too.
    StuckPipeline("A flatMap of flatMaps is at its limit, and so are they", heldUpBy: "FlatMap") {
      let delivered = Tally()
      let quiet = PassthroughSubject<Int, Never>()
      let end = numbers(5)
        .flatMap(maxPublishers: .max(2)) { outer in
          numbers(3).flatMap(maxPublishers: .max(1)) { Just(outer * 10 + $0).append(quiet) }
        }
        .sink { _ in delivered.add() }
      return Running(delivered, keeping: [quiet, end], release: { quiet.send(completion: .finished) })
    },

    // SwitchToLatest has asked its latest inner publisher for everything and holds nothing, and asks upstream without a
    // limit. That inner publisher is a flatMap at its limit, before a sequence with eight values left.
    StuckPipeline("The latest stream is held up by a flatMap of its own", heldUpBy: "FlatMap") {
      let delivered = Tally()
      let (pages, quiet) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let end =
        pages
        .map { page in
          numbers(10).flatMap(maxPublishers: .max(2)) { Just(page * 100 + $0).append(quiet) }.eraseToAnyPublisher()
        }
        .switchToLatest()
        .sink { _ in delivered.add() }
      pages.send(1)
      pages.send(2)
      return Running(delivered, keeping: [pages, quiet, end], release: { quiet.send(completion: .finished) })
    },
  ]
}

// MARK: Schedulers that do not run

extension StuckPipeline {
  private static let schedulers = [
    // The sink and the links after ReceiveOn ask for everything. ReceiveOn has passed that on, has three values, and a
    // scheduler that does not run.
    StuckPipeline("Values wait for a scheduler that does not run", heldUpBy: "ReceiveOn") {
      let delivered = Tally()
      let scheduler = VirtualTimeScheduler()
      let end = numbers(3).map { $0 * 2 }.filter { $0 > 0 }
        .receive(on: scheduler)
        .map { $0 + 1 }.filter { $0 > 0 }
        .sink { _ in delivered.add() }
      return Running(delivered, keeping: [scheduler, end], release: { await scheduler.advance() })
    },

    // The scheduler ran once, so that SubscribeOn has a subscription. Its request, which the sink has made, is
    // scheduled, and the scheduler does not run again: the sequence is asked for nothing.
    StuckPipeline("A request waits for a scheduler that does not run", heldUpBy: "SubscribeOn") {
      let delivered = Tally()
      let scheduler = VirtualTimeScheduler()
      let end = numbers(3).subscribe(on: scheduler).sink { _ in delivered.add() }
      await scheduler.step()
      return Running(delivered, keeping: [scheduler, end], release: { await scheduler.advance() })
    },

    // The sink has asked its subject for everything; the subject is fed by share, which has asked for everything, too,
    // and neither holds anything. ReceiveOn holds the values, before a scheduler that does not run.
    StuckPipeline("A subject is fed by a shared stream whose scheduler does not run", heldUpBy: "ReceiveOn") {
      let delivered = Tally()
      let scheduler = VirtualTimeScheduler()
      let levels = PassthroughSubject<Int, Never>()
      let end = levels.map { $0 / 2 }.removeDuplicates().filter { $0 >= 0 }.sink { _ in delivered.add() }
      let feed = numbers(6).receive(on: scheduler).share().subscribe(levels)
      return Running(delivered, keeping: [scheduler, levels, feed, end], release: { await scheduler.advance() })
    },
  ]
}
