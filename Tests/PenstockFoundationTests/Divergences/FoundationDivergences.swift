// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Foundation
import PenstockCore
import PenstockDispatch
import PenstockFoundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Deliberate differences between the publishers of Foundation's types and Combine's.
///
/// All of them follow from one rule: no two deliveries to a subscriber overlap, and no lock is held during one.
@Suite struct FoundationDivergences {
  private let name = Notification.Name("opened")

  /// Combine enqueues an operation for each value.
  @Test(arguments: [1, 2])
  func `A sequence delivers up to 64 values in one operation of a queue that runs one at a time`(atATime: Int) {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = atATime
    queue.isSuspended = true
    let recorder = Recorder<Int, Never>(demand: .unlimited)
    Publishers.Sequence<ClosedRange<Int>, Never>(sequence: 1...130).receive(on: queue).subscribe(recorder)
    #expect(queue.operationCount == (atATime == 1 ? 3 : 130) + 1)
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.values == Array(1...130))
    #expect(recorder.isFinished)
  }

  /// As with Combine's.
  @Test(arguments: ["limited", "mapped"])
  func `A sequence of which not everything is requested, or with a closure below it, takes an operation for each`(
    _ kind: String
  ) {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.isSuspended = true
    let recorder = Recorder<Int, Never>(demand: kind == "limited" ? .max(130) : .unlimited)
    let sequence = Publishers.Sequence<ClosedRange<Int>, Never>(sequence: 1...130)
    if kind == "limited" {
      sequence.receive(on: queue).subscribe(recorder)
    } else {
      sequence.eraseToAnyPublisher().map { $0 }.receive(on: queue).subscribe(recorder)
    }
    #expect(queue.operationCount == 131)
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    #expect(recorder.values == Array(1...130))
  }

  /// Combine passes the interval to Dispatch, or makes the next operation ready at once.
  @Test(arguments: ["operation queue", "dispatch queue"])
  func `An action with an interval of zero is repeated as a timer's`(_ kind: String) {
    let (dates, done) = (Locked<[Date]>([]), Gate())
    func start<S: Scheduler>(_ scheduler: S) -> any Cancellable {
      scheduler.schedule(after: scheduler.now, interval: .seconds(0)) {
        if dates.change({
          $0.append(Date()); return $0.count
        }) == 50 {
          done.open()
        }
      }
    }
    let begin = Date()
    let cancellable = kind == "operation queue" ? start(OperationQueue()) : start(DispatchQueue(label: "ticks"))
    done.wait()
    cancellable.cancel()
    // No tick is early, however late some are. The first is due at the beginning; the wall clock and Dispatch's clock
    // differ a little.
    #expect(dates.value[49].timeIntervalSince(begin) > 48 * 0.0001)

  }

  /// Combine may deliver a tick on the run loop while the subscriber is still being introduced on another thread.
  @Test func `A timer's tick that comes while a subscriber is introduced is dropped`() {
    let loop = LoopThread()
    let publisher = Timer.publish(every: 0.002, on: loop.runLoop, in: .default)
    let tick = Gate()
    let other = publisher.sink { _ in tick.open() }
    let connection = publisher.connect()
    let recorder = Recorder<Date, Never>()
    recorder.onSubscription = { [recorder = Unchecked(recorder)] subscription in
      subscription.request(.unlimited)
      for _ in 0..<3 { tick.wait() }
      #expect(recorder.value.values.isEmpty)
    }
    publisher.subscribe(recorder)
    connection.cancel()
    other.cancel()
    loop.stop()
  }

  /// Combine may deliver it on the posting thread at once, while the subscriber is still being introduced.
  @Test func `A notification posted while a subscriber is introduced is delivered after that`() {
    let center = NotificationCenter()
    let recorder = Recorder<Notification, Never>()
    recorder.onSubscription = { [recorder = Unchecked(recorder), name] subscription in
      subscription.request(.unlimited)
      elsewhere { center.post(name: name, object: nil) }
      #expect(recorder.value.values.isEmpty)
    }
    center.publisher(for: name).subscribe(recorder)
    #expect(recorder.values.count == 1)
  }

  /// Combine may deliver it on the session's queue at once, while the subscriber is still being introduced.
  @Test func `An answer that comes while a subscriber is introduced is delivered after that`() {
    let (answered, done) = (Gate(), Gate())
    let server = LoopbackServer { connection in
      connection.answer(200, "water")
      connection.waitForClose()
      answered.open()
    }
    let queue = OperationQueue()
    let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: queue)
    let recorder = Recorder<URLSession.DataTaskPublisher.Output, URLError>()
    recorder.onSubscription = { [recorder = Unchecked(recorder)] subscription in
      subscription.request(.max(1))
      answered.wait()
      // By now the session has notified its queue.
      queue.waitUntilAllOperationsAreFinished()
      #expect(recorder.value.values.isEmpty)
    }
    recorder.onValue = { [queue] _ in
      #expect(OperationQueue.current === queue)
      return .none
    }
    recorder.onCompletion = { _ in done.open() }
    session.dataTaskPublisher(for: server.url()).subscribe(recorder)
    done.wait()
    #expect(recorder.values.count == 1)
    recorder.onSubscription = nil
  }

  /// Combine makes the second thread wait for the first one's delivery, which may itself wait for the second thread.
  @Test func `Notifications posted by several threads are delivered by one of them`() {
    let center = NotificationCenter()
    let recorder = Recorder<Notification, Never>()
    let depth = Locked(0)
    recorder.onValue = { [name, recorder = Unchecked(recorder)] _ in
      if depth.change({
        $0 += 1; return $0
      }) == 1 {
        // Returns, although this delivery has not ended.
        elsewhere { center.post(name: name, object: nil) }
        #expect(recorder.value.values.count == 1)
      }
      return .none
    }
    center.publisher(for: name).subscribe(recorder)
    center.post(name: name, object: nil)
    #expect(recorder.values.count == 2)
    recorder.cancel()
  }

  #if canImport(FoundationNetworking)
    /// Combine cancels it at once.
    ///
    /// Foundation on Linux would then stop the process occasionally.
    @Test func `A data task that is cancelled at once is given time to start`() async {
      await #expect(processExitsWith: .success) {
        let server = LoopbackServer { $0.answer(200, "water") }
        // A few hundred at a time, as each has a connection of its own.
        for _ in 0..<3 {
          let end = End()
          let session = URLSession(configuration: .default, delegate: end, delegateQueue: nil)
          for _ in 0..<300 {
            session.dataTaskPublisher(for: server.url()).subscribe(
              AnySubscriber(receiveSubscription: { subscription in
                subscription.request(.max(1))
                subscription.cancel()
              }))
          }
          session.finishTasksAndInvalidate()
          end.gate.wait()
        }
      }
    }

    /// Opens a gate when all tasks of a session have ended.
    private final class End: NSObject, URLSessionDelegate, Sendable {
      let gate = Gate()

      func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { gate.open() }
    }
  #endif
}
