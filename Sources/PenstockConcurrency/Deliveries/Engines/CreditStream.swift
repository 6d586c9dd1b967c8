// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// A broker that sends messages to one subscriber, as many as it has been asked for.
///
/// It is released when the stream has ended, in whatever way.
package protocol CreditSource<Message>: AnyObject, Sendable {
  associatedtype Message: Sendable

  /// Asks the broker for messages; not called while the stream is paused.
  ///
  /// - Returns: How many messages it has been asked for: none if the source has paused the stream, since it can't ask.
  func ask(for count: Int) -> Int

  /// Gives back a message that has come and can't be delivered.
  func drop(_ message: Message)
}

/// The stream of messages to one subscriber, as its broker sees it: credit goes out, and messages come in.
///
/// Demand is counted where the subscriber requests it, and credit is the part of it for which the broker has been asked.
@usableFromInline
package struct CreditStream<Message: Sendable, Failure: Error>: Sendable {
  @usableFromInline internal let inbox: FetchInbox<Message, Failure>
  @usableFromInline package let ledger: CreditLedger

  /// The credit that the broker has.
  package var credit: Int { inbox.source.credit }

  /// Takes a message; without credit for it, it waits for demand.
  ///
  /// - Returns: The number of messages that wait if there was no credit for this one, and otherwise zero; `nil` if the
  ///   stream is over and the message has to be given back.
  @inlinable
  package func receive(_ message: Message) -> Int? {
    if !inbox.add(message) { return nil }
    let (hadCredit, waiting) = inbox.source.noteArrival()
    if hadCredit { ledger.use(1) }
    return hadCredit ? 0 : waiting
  }

  /// Takes back credit that the broker reports as unused.
  package func handBack(_ credit: Int) { ledger.handBack(inbox.source.takeCredit(credit)) }

  /// Takes back all credit, since it has been lost.
  package func loseCredit() { ledger.lose(inbox.source.takeCredit(.max)) }

  /// Gives no more credit until ``resume()``.
  package func pause() { inbox.source.pause(true) }

  package func resume() { inbox.source.pause(false) }

  /// Fails after the messages that have come.
  package func fail(_ failure: Failure) {
    inbox.fail(failure)
    inbox.source.end(isDraining: false)
  }

  /// Finishes, and drops messages that have come and have not been delivered.
  package func drain() { inbox.source.end(isDraining: true) }

  /// Asks a source for messages.
  fileprivate func ask(_ source: some CreditSource<Message>, for count: Int) {
    ledger.ask(for: count)
    let rest = inbox.source.takeCredit(count - source.ask(for: count))
    ledger.change {
      $0.asked -= rest
      $0.credit -= rest
    }
  }
}

extension FetchedMessages {
  /// - Parameters:
  ///   - name: The name of the method that makes it, for the argument that does not fit.
  ///   - batch: The least and the greatest number of messages that are asked for at a time.
  ///   - lowMark: The number of messages that are left when a batch is read ahead; `nil` to read nothing ahead.
  ///   - makeSource: Makes the source for a subscriber.
  package init<Source: CreditSource<Output>>(
    _ name: String = "deliveries", batch: ClosedRange<Int>, refillAt lowMark: Int?,
    sentBy makeSource: @escaping @Sendable (CreditStream<Output, Failure>) -> Source
  ) {
    self.init(rules: .checked(name, batch, lowMark, 1, givesCredit: true)) { inbox, ledger in
      let stream = CreditStream(inbox: inbox, ledger: ledger)
      let source = makeSource(stream)
      return FetchLoop.Client(onDrop: { source.drop($0) }, ask: { stream.ask(source, for: $0) })
    }
  }
}
