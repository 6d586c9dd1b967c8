// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Inspector {
  /// The streams of the process at one moment.
  ///
  /// A snapshot keeps no stream alive, and nothing in it changes.
  public struct Snapshot: Sendable {
    /// The streams, the oldest first.
    public let streams: [Stream]
    /// How long they were watched; zero for a single look.
    public let watched: Duration
    /// The number of subscriptions and ends of chains that were alive, including those that no stream shows.
    public let liveLinks: Int

    /// The streams that are held up by a link.
    public var heldUp: [Stream] { streams.filter { $0.culprit != nil } }

    /// A stream with a link of this name or label.
    public subscript(name: String) -> Stream? {
      streams.first { $0[name] != nil }
    }
  }

  /// A chain of links from its end to its sources.
  ///
  /// Two chains that share a publisher are two streams; the links upstream of the shared publisher are in both.
  public struct Stream: Sendable, Identifiable {
    /// The number of its last link, which no other stream ever has.
    public var id: UInt64 { end.id }
    /// The link furthest downstream.
    public let end: Link
    /// The link that holds the stream up, if one does.
    public internal(set) var culprit: Culprit?
    /// How long nothing has changed, as far as the stream was watched; `nil` if values may have passed that nobody has
    /// counted.
    ///
    /// A stream that is held up needs no count: no value passes a link that asks for nothing.
    public internal(set) var unchanged: Duration?

    /// All links, each followed by the links upstream of it.
    public var links: [Link] { end.withUpstreams }

    /// The first link of this name or label, from the end on.
    public subscript(name: String) -> Link? { links.first { $0.name == name || $0.label?.text == name } }

    /// The name under which the stream is shown: the label nearest to its end; the end's name if there is none.
    public var title: String {
      links.lazy.compactMap(\.label?.text).first ?? end.subscriber ?? end.name
    }
  }

  /// The link that holds a stream up.
  public struct Culprit: Sendable, Hashable {
    /// The reason why nothing passes it.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
      /// It requests nothing, though values wait for it.
      case asksForNothing
      /// The maximum number of inner publishers run, and none of them delivers or ends.
      case isAtItsLimit
      /// It has values of some upstreams, and waits for others.
      case waitsForOthers
      /// It has scheduled blocks that have not run.
      case schedulerDoesNotRun
      /// It is inside a delivery that does not return, with others behind it.
      case deliveryDoesNotReturn
      /// It keeps values, though they are asked for.
      case holdsValues
      /// It requests nothing, and values have been dropped since.
      case dropsValues
      /// `connect()` has not been called, or the connection has been cancelled.
      case isNotConnected
    }

    /// The link's number.
    public let link: UInt64
    /// The link's name.
    public let name: String
    /// Why nothing passes the link.
    public let reason: Reason
    /// A sentence that explains it with the figures.
    public let explanation: String
  }

  /// What is said of a link in the sentence for its stream.
  internal struct Reason: Sendable {
    let text: String
    /// Whether it only waits for what is upstream of it, where something more telling may be found.
    var isWeak = false
  }

  /// One link of a stream: a subscription, or the end of a chain.
  ///
  /// A property that is `nil` is unknown: the link does not keep it, or did not while the inspector was off.
  public struct Link: Sendable, Identifiable {
    /// How far the life of a link has come.
    public enum Phase: String, Sendable, Hashable {
      /// Upstream's subscription has not arrived.
      case awaiting
      /// It has a subscription, and the stream has not ended.
      case active
      /// Upstream has ended, or the link has cancelled; it may still have values to deliver.
      case ended
    }

    /// A name that ``PenstockCore/Publisher/inspected(_:file:line:)`` has given, and the place of that call.
    public struct Label: Sendable, Hashable {
      /// The name.
      public let text: String
      /// The file in which the name has been given.
      public let file: String
      /// The line in that file.
      public let line: UInt
    }

    /// Values that a link has dropped.
    public struct Drops: Sendable, Hashable {
      /// Why values have been dropped.
      public enum Reason: String, Sendable, Hashable {
        /// They came without demand, and the publisher keeps no values.
        case withoutDemand
        /// A buffer was full, and its policy drops values then.
        case bufferFull
        /// A newer value took the place of one that waited: in `debounce`, `throttle` and `sample`, and in operators that
        /// keep the latest value until it is asked for.
        case replaced
        /// They waited for demand, for time or for a partner when the stream was cancelled, or ended.
        case ended
        /// They were sent after the end.
        case late
      }

      /// Why they have been dropped.
      public let reason: Reason
      /// The number of values since the link was made.
      public let count: UInt

      package init(reason: Reason, count: UInt) {
        self.reason = reason
        self.count = count
      }
    }

    /// A link directly upstream.
    public struct Upstream: Sendable {
      /// Its role for the link, if the link has several upstreams: a number, `outer`, `inner`, `latest`, `values` or
      /// `signals`.
      public let role: String?
      /// The link.
      public let link: Link
    }

    /// A number that no other link ever has; it grows along a thread.
    public let id: UInt64
    /// The text that `print()` prints for the subscription, or the kind of the end.
    public let name: String
    /// The name that the program has given to the place.
    public let label: Label?
    /// How far its life has come.
    public let phase: Phase
    /// The demand that downstream has requested and that has not been met.
    public let outstanding: Subscribers.Demand?
    /// Whether values are asked for at this moment, according to its own demand or to the links upstream of it.
    public let isAsked: Bool?
    /// The number of values that it keeps.
    public let waiting: Int?
    /// The greatest number of values that it keeps.
    public let capacity: Int?
    /// The values that it has dropped; empty for a link that drops nothing, or does not count them.
    public let drops: [Drops]
    /// What it waits for other than a value of its upstream, as a phrase.
    public let wait: String?
    /// The type of the publisher that it belongs to, if that has several subscribers.
    public let publisher: String?
    /// Operators between it and the next link downstream, in the order in which values pass them; these keep nothing.
    public let passes: [String]
    /// The subscriber at the end of the chain, if it is not a link of its own.
    public let subscriber: String?
    /// The counts since the link was made; `nil` if the inspector was off then.
    public let counts: Counts?
    /// The latest signals with texts of their values, if ``PenstockCore/Publisher/inspected(_:file:line:describing:)``
    /// has asked for them.
    public let described: Recording?
    /// The links directly upstream.
    public let upstreams: [Upstream]
    /// Whether it is the end of a chain that feeds a subject.
    ///
    /// At the end of a stream it means that the subject has no subscribers.
    public let isFeed: Bool
    /// Whether the links upstream are left out: they have been shown in the same stream, or the chain is longer than
    /// 200 links.
    public let isCut: Bool
    /// What a sentence says of it, if it waits or keeps something.
    internal let reason: Reason?

    /// This link and all that are upstream of it.
    public var withUpstreams: [Link] { [self] + upstreams.flatMap(\.link.withUpstreams) }
  }
}
