// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// An introspection that records everything.
///
/// Each test that enables one runs in a process of its own, so that it does not observe other tests.
private final class Observer: _Introspection {
  private(set) var log: [String] = []
  private(set) var identifiers: Set<CombineIdentifier> = []

  private func name(_ publisher: some Publisher) -> String {
    String(describing: type(of: publisher)).prefix { $0 != "<" }.description
  }

  func willReceive<P: Publisher, S: Subscriber>(publisher: P, subscriber: S)
  where P.Failure == S.Failure, P.Output == S.Input {
    identifiers.insert(subscriber.combineIdentifier)
    log.append("(\(name(publisher)) takes \(subscriber)")
  }

  func didReceive<P: Publisher, S: Subscriber>(publisher: P, subscriber: S)
  where P.Failure == S.Failure, P.Output == S.Input {
    log.append("\(name(publisher)))")
  }

  func willReceive<S: Subscriber>(subscriber: S, subscription: any Subscription) {
    identifiers.insert(subscriber.combineIdentifier)
    log.append("(\(subscriber) starts \(subscription)")
  }

  func didReceive<S: Subscriber>(subscriber: S, subscription: any Subscription) { log.append("\(subscriber))") }

  func willReceive<S: Subscriber>(subscriber: S, input: S.Input) { log.append("(\(subscriber) gets \(input)") }

  func didReceive<S: Subscriber>(subscriber: S, input: S.Input, resultingDemand: Subscribers.Demand) {
    log.append("\(subscriber) wants \(resultingDemand))")
  }

  func willReceive<S: Subscriber>(subscriber: S, completion: Subscribers.Completion<S.Failure>) {
    log.append("(\(subscriber) ends \(completion)")
  }

  func didReceive<S: Subscriber>(subscriber: S, completion: Subscribers.Completion<S.Failure>) {
    log.append("\(subscriber) ended)")
  }

  func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {
    log.append("(\(subscription) asked \(demand)")
  }

  func didRequest(subscription: any Subscription, _ demand: Subscribers.Demand) { log.append("\(subscription))") }

  func willCancel(subscription: any Subscription) { log.append("(\(subscription) cancelled") }

  func didCancel(subscription: any Subscription) { log.append("\(subscription) gone)") }
}

/// An introspection that implements no method.
private final class Idler: _Introspection {}

@Suite struct IntrospectionTests {
  @Test func `Every call of every link is seen, properly nested`() async {
    await #expect(processExitsWith: .success) {
      let observer = Observer()
      observer.enable()
      let subject = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>(demand: .max(2), answering: .max(1))
      subject.map { $0 * 2 }.subscribe(recorder)
      #expect(
        observer.log == [
          "(Map takes Recorder", "(PassthroughSubject takes Map",
          "(Map starts PassthroughSubject", "(Recorder starts PassthroughSubject",
          "(PassthroughSubject asked max(2)", "(PassthroughSubject asked max(2)", "PassthroughSubject)",
          "PassthroughSubject)",
          "Recorder)", "Map)", "PassthroughSubject)", "Map)",
        ])
      let attached = observer.log.count
      subject.send(3)
      recorder.cancel()
      #expect(
        observer.log.dropFirst(attached) == [
          "(Map gets 3", "(Recorder gets 6", "Recorder wants max(1))", "Map wants max(1))",
          "(PassthroughSubject cancelled", "(PassthroughSubject cancelled", "PassthroughSubject gone)",
          "PassthroughSubject gone)",
        ])
      #expect(recorder.values == [6])
    }
  }

  @Test func `Completions are seen, and the wrappers keep identifiers and texts`() async {
    await #expect(processExitsWith: .success) {
      let observer = Observer()
      observer.enable()
      let recorder = Recorder<Int, TestError>()
      let spy = ManualPublisher<Int, TestError>()
      spy.subscribe(recorder)
      spy.send(completion: .failure(.oops))
      #expect(observer.log.suffix(2) == ["(Recorder ends failure(oops)", "Recorder ended)"])
      #expect(observer.identifiers == [recorder.combineIdentifier])
      #expect(spy.subscribers[0].combineIdentifier == recorder.combineIdentifier)
      #expect(String(describing: spy.subscribers[0]) == "Recorder")
      #expect(recorder.subscriptions[0].combineIdentifier == spy.subscription!.combineIdentifier)
      #expect(String(describing: recorder.subscriptions[0]) == "ManualSubscription")
      #expect(!(recorder.subscriptions[0] is any CustomReflectable))
    }
  }

  @Test func `Streams made without an observer never report; taps report to the observer of the time`() async {
    await #expect(processExitsWith: .success) {
      let (first, second) = (Observer(), Observer())
      let subject = PassthroughSubject<Int, Never>()
      var values: [Int] = []
      let unseen = subject.sink { values.append($0) }
      first.enable()
      subject.send(1)
      #expect(first.log.isEmpty)
      let seen = subject.sink { values.append($0 * 10) }
      first.disable()
      let attached = first.log.count
      subject.send(2)
      #expect(first.log.count == attached)
      second.enable()
      subject.send(3)
      #expect(second.log == ["(Sink gets 3", "Sink wants max(0))"])
      #expect(values == [1, 2, 20, 3, 30])
      unseen.cancel()
      seen.cancel()
    }
  }

  @Test
  func `Every link of a chain is shown: before and after an erasure, of each part, of each inner stream, by any end`()
    async
  {
    await #expect(processExitsWith: .success) {
      func shown(_ attach: (PassthroughSubject<Int, Never>) -> AnyCancellable) -> Set<String> {
        let observer = Observer()
        observer.enable()
        let subject = PassthroughSubject<Int, Never>()
        let cancellable = attach(subject)
        subject.send(1)
        subject.send(completion: .finished)
        observer.disable()
        withExtendedLifetime(cancellable) {}
        let taking = observer.log.filter { $0.contains(" takes ") }
        return Set(taking.map { String($0.dropFirst().prefix { $0 != " " }) })
      }
      // The publisher next to an erasure is shown as `AnyPublisher`.
      func chain(_ subject: PassthroughSubject<Int, Never>) -> some Publisher<Int, Never> {
        let erased = subject.map { $0 + 1 }.filter { $0 > 0 }.dropFirst(0).eraseToAnyPublisher()
        let flat = erased.scan(0, +).replaceEmpty(with: 7).removeDuplicates().flatMap { Just($0) }.prefix(9)
        return flat.handleEvents(receiveOutput: { _ in }).append(8).merge(with: Empty())
          .buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest)
      }
      let links: Set<String> = [
        "PassthroughSubject", "Map", "Filter", "AnyPublisher", "Scan", "ReplaceEmpty", "RemoveDuplicates", "FlatMap",
        "Just", "Output", "HandleEvents", "Concatenate", "Sequence", "Merge", "Empty", "Buffer",
      ]
      final class Target { var value = 0 }
      let target = Target()
      let relayed = PassthroughSubject<Int, Never>()
      #expect(links.subtracting(shown { chain($0).sink { _ in } }).isEmpty)
      #expect(links.subtracting(shown { chain($0).assign(to: \.value, on: target) }).isEmpty)
      #expect(links.subtracting(shown { chain($0).subscribe(relayed) }).isEmpty)
      #expect(links.subtracting(shown { chain($0).share().sink { _ in } }).isEmpty)
      #expect(links.subtracting(shown { chain($0).map { $0 }.eraseToAnyPublisher().sink { _ in } }).isEmpty)
      #expect(target.value == 8)
    }
  }

  @Test func `Inner streams of a chain that was attached before are shown from when an observer is enabled`() async {
    await #expect(processExitsWith: .success) {
      let observer = Observer()
      let (subject, inner) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      var values: [Int] = []
      let cancellable = subject.flatMap { number in inner.map { $0 + number }.dropFirst(0) }.sink { values.append($0) }
      observer.enable()
      subject.send(1)
      inner.send(2)
      observer.disable()
      #expect(values == [3])
      // The end of the inner chain, and the publishers upstream of it.
      #expect(observer.log.contains { $0.hasPrefix("(Drop takes") })
      #expect(observer.log.contains { $0.hasPrefix("(Map takes") })
      #expect(observer.log.contains { $0.hasPrefix("(PassthroughSubject takes") })
      cancellable.cancel()
    }
  }

  @Test func `An observer that is enabled twice reports once, is kept meanwhile, and is released`() async {
    await #expect(processExitsWith: .success) {
      var graveyard = Graveyard()
      var observer: Observer? = graveyard.watch(Observer())
      #expect(!observer!.isEnabled)
      observer!.enable()
      observer!.enable()
      #expect(observer!.isEnabled)
      Just(1).subscribe(Recorder<Int, Never>(demand: nil))
      #expect(observer!.log.count == 4)
      weak let kept = observer
      observer = nil
      #expect(kept != nil)
      kept?.disable()
      #expect(graveyard.survivors.isEmpty)
    }
  }

  @Test func `An event is seen once where publishers pass their subscriber on`() async {
    await #expect(processExitsWith: .success) {
      struct PassedOn<Upstream: Publisher>: Publisher {
        typealias Output = Upstream.Output
        typealias Failure = Upstream.Failure
        let upstream: Upstream
        func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
          upstream.subscribe(subscriber)
        }
      }
      let observer = Observer()
      observer.enable()
      let subject = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>(demand: .max(2))
      Deferred { PassedOn(upstream: PassedOn(upstream: subject).eraseToAnyPublisher()) }.subscribe(recorder)
      #expect(
        observer.log == [
          "(Deferred takes Recorder", "(PassedOn takes Recorder", "(AnyPublisher takes Recorder",
          "(PassthroughSubject takes Recorder",
          "(Recorder starts PassthroughSubject",
          "(PassthroughSubject asked max(2)", "PassthroughSubject)",
          "Recorder)",
          "PassthroughSubject)", "AnyPublisher)", "PassedOn)", "Deferred)",
        ])
      let attached = observer.log.count
      subject.send(3)
      recorder.cancel()
      #expect(
        observer.log.dropFirst(attached) == [
          "(Recorder gets 3", "Recorder wants max(0))", "(PassthroughSubject cancelled", "PassthroughSubject gone)",
        ])
      #expect(recorder.values == [3])
    }
  }

  @Test func `Callbacks that are not implemented do nothing`() async {
    await #expect(processExitsWith: .success) {
      let idler = Idler()
      idler.enable()
      let recorder = Recorder<Int, Never>()
      [1, 2, 3].publisher.filter { $0 > 1 }.scan(0, +).eraseToAnyPublisher().subscribe(recorder)
      #expect(recorder.values == [2, 5])
      #expect(recorder.isFinished)
    }
  }

  @Test func `Whole chains work under taps, and leave nothing in memory`() async {
    await #expect(processExitsWith: .success) {
      let observer = Observer()
      observer.enable()
      var graveyard = Graveyard()
      do {
        let canary = graveyard.watch(Canary(), "closure")
        let subject = graveyard.watch(PassthroughSubject<Int, Never>(), "subject")
        var sums: [Int] = []
        let cancellables = [
          subject.first(where: { $0 > 1 }).map { $0 + 1 }.share().sink { value in
            withExtendedLifetime(canary) { sums.append(value) }
          },
          subject.scan(0, +).removeDuplicates().sink { value in
            withExtendedLifetime(canary) { sums.append(value) }
          },
        ]
        subject.send(2)
        subject.send(0)
        #expect(sums == [3, 2])
        cancellables.forEach { $0.cancel() }
      }
      #expect(graveyard.survivors.isEmpty)
    }
  }

  @Test func `A loop over objectWillChange loses signals under taps, too`() async {
    await #expect(processExitsWith: .success) {
      Idler().enable()
      let publisher = ObservableObjectPublisher()
      var direct = publisher.values.makeAsyncIterator()
      var erased = publisher.eraseToAnyPublisher().values.makeAsyncIterator()
      let bell = Task {
        while !Task.isCancelled {
          publisher.send()
          await Task.yield()
        }
      }
      #expect(await direct.next() != nil)
      #expect(await erased.next() != nil)
      bell.cancel()
      await bell.value
      publisher.send()
    }
  }

  @Test func `No lock is held in a callback: another thread enables, disables, sends and cancels meanwhile`() async {
    await #expect(processExitsWith: .success) {
      final class Meddler: _Introspection, @unchecked Sendable {
        var work: (@Sendable () -> Void)?
        func willReceive<S: Subscriber>(subscriber: S, input: S.Input) {
          if let work { elsewhere(work) }
          work = nil
        }
      }
      let meddler = Meddler()
      meddler.enable()
      let subject = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>()
      subject.subscribe(recorder)
      meddler.work = {
        let other = Idler()
        other.enable()
        other.disable()
        subject.send(2)
        recorder.cancel()
      }
      subject.send(1)
      #expect(recorder.values.count <= 1)
      meddler.disable()
    }
  }

  @Test func `Threads that enable and disable while streams run do no harm`() async {
    await #expect(processExitsWith: .success) {
      let total = Locked(0)
      onThreads(4) { index in
        for _ in 0..<200 {
          if index.isMultiple(of: 2) {
            let idler = Idler()
            idler.enable()
            idler.disable()
          } else {
            let cancellable = [1, 2].publisher.map { $0 }.sink { value in total.change { $0 += value } }
            cancellable.cancel()
          }
        }
      }
      #expect(total.value == 2 * 200 * 3)
    }
  }
}
