// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators
import PenstockTesting

enum ComingFromCombineExt {
  // CombineExt | `withLatestFrom` of one to three
  //
  // Differs: a value before the other publisher's first is dropped.
  static func withLatestFrom() {
    let (taps, text) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<String, Never>("a"))
    let others = (Just("b"), Just("c"), Just("d"))
    let one = taps.withLatestFrom(text).received()
    let three = taps.withLatestFrom(text, others.0, others.1).received()
    let selected = taps.withLatestFrom(text, resultSelector: { "\($1)\($0)" }).received()
    let four = taps.withLatestFrom(text, others.0, others.1, others.2) { "\($0)\($1.0)\($1.1)\($1.2)\($1.3)" }
    let joined = four.received()
    taps.send(1)
    text.value = "z"
    taps.send(2)
    expect(one.log, ["a", "z"])
    expect(three.log, [#"("a", "b", "c")"#, #"("z", "b", "c")"#])
    expect(joined.log, ["1abcd", "2zbcd"])
    expect(selected.log, ["a1", "z2"])
    let subject = PassthroughSubject<Int, Never>()
    let dropped = Just("1").withLatestFrom(subject).received()
    let waiting = subject.first().flatMap { _ in Just("1") }.withLatestFrom(subject) { "\($0) \($1)" }.received()
    subject.send(7)
    expect(dropped.log, ["finished"])
    expect(waiting.log, ["1 7", "finished"])
  }

  // CombineExt | `flatMapLatest`, `flatMapFirst`
  static func flatMapLatest() {
    let (taps, answers) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let latest = taps.flatMapLatest { tap in answers.map { tap * 10 + $0 } }.received()
    let first = taps.flatMapFirst { tap in answers.map { tap * 10 + $0 } }.received()
    taps.send(1)
    taps.send(2)
    answers.send(3)
    expect(latest.log, ["23"])
    expect(first.log, ["13"])
  }

  // CombineExt | `flatMapBatches(of:)`
  //
  // Differs: one array for each batch, with all values, when all have finished; theirs zips the publishers of a batch.
  static func flatMapBatches() {
    let batches = (1...6).map { Just($0) }.flatMapBatches(of: 2)
    expect(batches.received().log, ["[1, 2]", "[3, 4]", "[5, 6]", "finished"])
    let publishers = (1...2).map { [$0, $0].publisher }
    expect(publishers.flatMapBatches(of: 2).received().log, ["[1, 1, 2, 2]", "finished"])
    expect(publishers.publisher.collect(2).concatMap { $0.zip() }.received().log, ["[1, 2]", "[1, 2]", "finished"])
    let endless = (1...2).map { CurrentValueSubject<Int, Never>($0) }
    let (ours, theirs) = (
      endless.flatMapBatches(of: 2).received(), endless.publisher.collect(2).concatMap { $0.zip() }.received()
    )
    expect(ours.log, [])
    expect(theirs.log, ["[1, 2]"])
  }

  // CombineExt | `amb`, `amb(with:)`
  //
  // Differs: the other publisher is not subscribed to if this one delivers at once; early demand is passed to both.
  static func amb() {
    let (one, two) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let (pair, several) = (one.amb(two).received(), [one, two].amb().received())
    two.send(3)
    one.send(1)
    two.send(completion: .finished)
    expect(pair.log, ["3", "finished"])
    expect(several.log, ["3", "finished"])
    let never = Empty<Int, Never>(completeImmediately: false)
    expect(never.amb(with: Just(1), Just(2)).received().log, ["1", "finished"])
    expect(never.amb(with: [Just(1), Just(2)]).received().log, ["1", "finished"])
    var isSubscribed = false
    let other = Deferred { () -> Just<Int> in
      isSubscribed = true
      return Just(2)
    }
    expect(Just(1).amb(other).received().log, ["1", "finished"])
    expect(isSubscribed, false)
    var requests: [String] = []
    let (near, far) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    var subscription: (any Subscription)?
    near.handleEvents(receiveRequest: { requests.append("near \($0)") })
      .amb(far.handleEvents(receiveRequest: { requests.append("far \($0)") }))
      .subscribe(
        AnySubscriber(
          receiveSubscription: {
            subscription = $0
            $0.request(.max(2))
          }, receiveValue: { _ in .none }, receiveCompletion: { _ in }))
    far.send(1)
    subscription?.request(.max(3))
    expect(requests, ["near max(2)", "far max(2)", "far max(3)"])
    subscription?.cancel()
  }

  // CombineExt | `merge()`, `zip()`, `combineLatest()` of a collection
  static func collections() {
    let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
    let (merged, zipped) = (subjects.merge().received(), subjects.zip().received())
    let combined = subjects.combineLatest().received()
    for (index, subject) in subjects.enumerated() { subject.send(index) }
    subjects[0].send(9)
    expect(merged.log, ["0", "1", "2", "9"])
    expect(zipped.log, ["[0, 1, 2]"])
    expect(combined.log, ["[0, 1, 2]", "[9, 1, 2]"])
    let many = (0..<100_000).map { Just($0) }
    var sum = 0
    _ = many.combineLatest().sink { sum = $0.reduce(0, +) }
    expect(sum, 4_999_950_000)
  }

  // CombineExt | `zip(with:)`, `combineLatest(with:)` of a list
  static func lists() {
    let (first, others) = (Just(1), [Just(2), Just(3)])
    expect(([first] + others).zip().received().log, ["[1, 2, 3]", "finished"])
    expect(([first] + others).combineLatest().received().log, ["[1, 2, 3]", "finished"])
    expect(first.zip(with: others).received().log, ["[1, 2, 3]", "finished"])
    expect(first.combineLatest(with: [2].publisher, [3].publisher).received().log, ["[1, 2, 3]", "finished"])
    let erased = [Just(1).eraseToAnyPublisher(), [2].publisher.eraseToAnyPublisher()]
    expect(erased.zip().received().log, ["[1, 2]", "finished"])
  }

  // CombineExt | `materialize`, `dematerialize`, `values()`, `failures()`
  //
  // Differs: an event has two cases, and the last one waits for a request.
  static func materialize() {
    let numbers = Fail<Int, Trouble>(error: .offline).prepend(1)
    let events = numbers.materialize()
    let cases = events.map { event in
      switch event {
      case .value(let value): "value \(value)"
      case .completion(.failure(let error)): "failure \(error)"
      case .completion(.finished): "end"
      }
    }
    expect(cases.received().log, ["value 1", "failure offline", "finished"])
    expect([.value(1), .failure(Trouble.offline)].publisher.failures().received().log, ["offline", "finished"])
    expect(Subscribers.Event<Int, Trouble>.finished, .completion(.finished))
    expect(events.values().received().log, ["1", "finished"])
    expect(events.failures().received().log, ["offline", "finished"])
    expect(events.dematerialize().received().log, ["1", "failure(offline)"])
    let asking = Asking<String, Never>()
    Empty<Int, Never>().materialize().map { $0 == .completion(.finished) ? "end" : "value" }.subscribe(asking)
    expect(asking.log, [])
    asking.request(.max(1))
    expect(asking.log, ["end", "finished"])
  }

  // CombineExt | `mapToResult`
  static func mapToResult() {
    let numbers = Fail<Int, Trouble>(error: .offline).prepend(1).mapToResult()
    let texts = numbers.map { result in
      switch result {
      case .success(let value): "\(value)"
      case .failure(let error): "\(error)"
      }
    }
    expect(texts.received().log, ["1", "offline", "finished"])
  }

  // CombineExt | `partition`
  static func partition() {
    let source = PassthroughSubject<Int, Never>()
    let (even, odd) = source.partition { $0.isMultiple(of: 2) }
    let (evens, odds) = (even.received(), odd.received())
    for number in 1...5 { source.send(number) }
    expect(evens.log, ["2", "4"])
    expect(odds.log, ["1", "3", "5"])
  }

  // CombineExt | `mapMany`, `filterMany`, `mapToValue`, `toggle`, `nwise`, `pairwise`
  static func mapping() {
    let lists = [[1, 2], [3, 4]].publisher
    expect(lists.mapMany { $0 * 2 }.received().log, ["[2, 4]", "[6, 8]", "finished"])
    expect(lists.filterMany { $0.isMultiple(of: 2) }.received().log, ["[2]", "[4]", "finished"])
    expect(lists.mapToValue("x").received().log, ["x", "x", "finished"])
    expect([true, false].publisher.toggle().received().log, ["false", "true", "finished"])
    expect((1...4).publisher.nwise(3).received().log, ["[1, 2, 3]", "[2, 3, 4]", "finished"])
    expect((1...3).publisher.pairwise().received().log, ["(1, 2)", "(2, 3)", "finished"])
  }

  // CombineExt | `enumerated(initial:)`
  //
  // Differs: it counts from 0.
  static func enumerated() {
    let letters = ["a", "b"].publisher.enumerated()
    expect(letters.map { "\($0.index) \($0.element)" }.received().log, ["0 a", "1 b", "finished"])
    expect(letters.map { "\($0.index + 10) \($0.element)" }.received().log, ["10 a", "11 b", "finished"])
  }

  // CombineExt | `removeAllDuplicates()`, `removeAllDuplicates(by:)`
  //
  // Differs: values that are only Equatable need the closure.
  static func removeAllDuplicates() {
    struct Plain: Equatable { let number: Int }
    let plain = [1, 2, 1].map { Plain(number: $0) }.publisher.removeAllDuplicates(by: ==).map(\.number)
    expect(plain.received().log, ["1", "2", "finished"])
    expect([1, 1, 2, 1, 3].publisher.removeAllDuplicates().received().log, ["1", "2", "3", "finished"])
  }

  // CombineExt | `setOutputType`, `ignoreOutput(setOutputType:)`
  static func outputTypes() {
    let ignored = ["1", "2"].publisher.ignoreOutput(setOutputType: Int.self).append(4)
    expect(ignored.received().log, ["4", "finished"])
    let set = ["1", "2"].publisher.ignoreOutput().setOutputType(to: Int.self).append(4)
    expect(set.received().log, ["4", "finished"])
  }

  // CombineExt | `prefix(duration:)`, `prefix(while:behavior:)`
  static func prefixes() {
    let (scheduler, numbers) = (VirtualTimeScheduler(), PassthroughSubject<Int, Never>())
    let timed = numbers.prefix(duration: 0.5, on: scheduler).received()
    let inclusive = numbers.prefix(while: { $0 < 2 }, behavior: .inclusive).received()
    numbers.send(1)
    scheduler.advance(by: 1)
    numbers.send(2)
    expect(timed.log, ["1", "finished"])
    expect(inclusive.log, ["1", "2", "finished"])
  }
}
