// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Penstock
public import PenstockConcurrency
import Synchronization

/// Incoming quotes, and the streams that are made from them.
///
/// A ticker is a constant that all requests of a server share: its pipelines are checked ones, so the compiler proves that
/// no two threads meet in them. There is no lock here, no actor and no exemption.
public final class Ticker<Context: Scheduler & Sendable>: Sendable
where Context.SchedulerTimeType.Stride: Sendable, Context.SchedulerOptions: Sendable {
  private let incoming = PassthroughSubject<Quote, Never>()
  private let context: Context
  private let assess: @Sendable (Quote) async -> Assessment
  private let watchers = Watchers()
  private let symbols = Mutex<Set<String>>([])

  /// How many subscriptions there are to the streams of this ticker.
  public var watching: Int { watchers.count.load(ordering: .relaxed) }

  /// The summary of each symbol's prices, whenever there is a quote of it.
  ///
  /// The prices are added up once, however many subscribers there are: the first one starts the work, the last one ends
  /// it.
  public let summaries: AnySendablePublisher<Summary, Never>

  /// Creates a ticker.
  ///
  /// - Parameters:
  ///   - context: The scheduler for everything that waits for time to pass.
  ///   - assess: Assesses a quote, which may take a while.
  public init(on context: Context, assess: @escaping @Sendable (Quote) async -> Assessment) {
    (self.context, self.assess) = (context, assess)
    summaries = incoming.sendable
      .scan(Day()) { day, quote in day.adding(quote) }
      .compactMap(\.changed)
      .share()
      .counted(in: watchers)
  }

  /// Reports a quote to all subscribers.
  ///
  /// - Returns: Whether it has been reported: not if its symbol is one more than ``Quote/mostSymbols``.
  @discardableResult
  public func report(_ quote: Quote) -> Bool {
    let isKnown = symbols.withLock { symbols in
      if symbols.count < Quote.mostSymbols { symbols.insert(quote.symbol) }
      return symbols.contains(quote.symbol)
    }
    if isKnown { incoming.send(quote) }
    return isKnown
  }

  /// Returns the quotes of a symbol at which its price has rested for a while.
  public func rests(of symbol: String, for duration: Context.SchedulerTimeType.Stride)
    -> AnySendablePublisher<Quote, Never>
  {
    quotes(of: symbol)
      .debounce(for: duration, scheduler: context)
      .counted(in: watchers)
  }

  /// Returns the distance between the prices of two symbols, whenever one of them changes.
  public func spread(of first: String, and second: String) -> AnySendablePublisher<Spread, Never> {
    quotes(of: first)
      .combineLatest(quotes(of: second)) { Spread($0, $1) }
      .removeDuplicates()
      .counted(in: watchers)
  }

  /// Returns an assessment of each quote, two at a time.
  ///
  /// Up to `backlog` quotes wait for their turn. When there are more, the oldest are dropped: late news is no news.
  public func assessments(backlog: Int = 16) -> AnySendablePublisher<Assessment, Never> {
    incoming.sendable
      .buffer(size: backlog, prefetch: .byRequest, whenFull: .dropOldest)
      .flatMap(maxPublishers: .max(2)) { [assess] quote in
        Future { await assess(quote) }.sendable
      }
      .counted(in: watchers)
  }

  private func quotes(of symbol: String) -> AnySendablePublisher<Quote, Never> {
    incoming.sendable.filter { $0.symbol == symbol }.eraseToAnySendablePublisher()
  }
}

private final class Watchers: Sendable {
  let count = Atomic(0)

  func add(_ number: Int) { count.add(number, ordering: .relaxed) }
}

extension SendablePublisher {
  fileprivate func counted(in watchers: Watchers) -> AnySendablePublisher<Output, Failure> {
    handleEvents(
      receiveSubscription: { _ in watchers.add(1) }, receiveCompletion: { _ in watchers.add(-1) },
      receiveCancel: { watchers.add(-1) }
    )
    .eraseToAnySendablePublisher()
  }
}
