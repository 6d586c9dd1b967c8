// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

import class Foundation.NSLock

/// Publishes the lines of a file, each when it is requested: composed, as one would write it.
public func lines(of open: @escaping () throws -> any LineSource) -> some Publisher<String, any Error> {
  Publishers.tryUsing {
    try open()
  } cleanup: { source in
    source.close()
  } publisher: { source in
    Publishers.tryGenerate(state: source) { try $0.nextLine() }
  }
}

/// The same by hand: the worked example of a custom publisher.
///
/// **Demand:** one line is read for each value that is requested, none ahead.
///
/// **Completion:** `.finished` at the request after the last line, when the end of the file is found.
///
/// **Failure:** the error of opening, without a request, or the error of reading. The file has been closed by then.
///
/// **Concurrency:** lines are read and delivered on the thread that requests them, one at a time. Any thread may request
/// or cancel, and does not wait for a line that is being read.
public struct Lines: Publisher {
  public typealias Output = String
  public typealias Failure = any Error

  /// Opens the file for a subscriber.
  private let open: () throws -> any LineSource

  public init(of open: @escaping () throws -> any LineSource) {
    self.open = open
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == String, S.Failure == any Error {
    do {
      LinesSubscription(source: try open(), downstream: subscriber).begin(with: subscriber)
    } catch {
      // There is nothing to close.
      subscriber.receive(subscription: Subscriptions.empty)
      subscriber.receive(completion: .failure(error))
    }
  }
}

/// The subscription, which has all the state and does all the work.
private final class LinesSubscription<Downstream: Subscriber>: Subscription, CustomStringConvertible
where Downstream.Input == String, Downstream.Failure == any Error {
  /// Guards the four properties below.
  ///
  /// It is never held while a line is read, the source is closed or the subscriber runs.
  private let lock = NSLock()

  /// The subscriber and the source; `nil` when the stream is over.
  private var downstream: Downstream?
  private var source: (any LineSource)?

  /// The number of values that have been requested and not been read.
  private var demand = Subscribers.Demand.none

  /// Whether a thread is in `receive(subscription:)` or in the loop of `deliver()`.
  ///
  /// A request then only adds to the demand, so that no two calls of the subscriber nest or overlap.
  private var isBusy = true

  init(source: any LineSource, downstream: Downstream) {
    self.source = source
    self.downstream = downstream
  }

  /// A subscriber that releases its subscription without a cancel needs the file no longer.
  deinit { source?.close() }

  var description: String { "Lines" }

  /// Delivers the subscription, and then the lines that have been requested meanwhile, on whichever thread.
  func begin(with subscriber: Downstream) {
    subscriber.receive(subscription: self)
    deliver()
  }

  func request(_ demand: Subscribers.Demand) {
    precondition(demand > .none, "Request at least one line: request(.none) means nothing.")
    let isFree = lock.withLock {
      self.demand += demand
      defer { isBusy = true }
      return !isBusy
    }
    if isFree { deliver() }
  }

  func cancel() {
    end()
  }

  /// Delivers as long as there is demand: the only place that calls the subscriber after its subscription.
  private func deliver() {
    while let source = take() {
      do {
        if let line = try source.nextLine() {
          // It may have been cancelled while the line was read.
          guard let downstream = lock.withLock({ downstream }) else { continue }
          let more = downstream.receive(line)
          lock.withLock { demand += more }
        } else {
          end()?.receive(completion: .finished)
        }
      } catch {
        end()?.receive(completion: .failure(error))
      }
    }
  }

  /// Takes one from the demand; without demand, or after the end, the loop is over.
  private func take() -> (any LineSource)? {
    lock.withLock {
      guard demand > .none, let source else {
        isBusy = false
        return nil
      }
      demand -= 1
      return source
    }
  }

  /// Releases what the subscription holds: at the completion, and at a cancel.
  ///
  /// Only the first call returns the subscriber, so only one of them can deliver a completion.
  @discardableResult
  private func end() -> Downstream? {
    let (subscriber, opened) = lock.withLock {
      defer { (downstream, source) = (nil, nil) }
      return (downstream, source)
    }
    opened?.close()
    return subscriber
  }
}
