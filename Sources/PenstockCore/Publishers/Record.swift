// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher that plays back what has been recorded: values, and how they ended.
///
/// ```swift
/// let record = Record<String, Never> { recording in
///   recording.receive("open")
///   recording.receive("shut")
///   recording.receive(completion: .finished)
/// }
/// let cancellable = record.sink { print($0) }
/// // Prints "open", "shut" on two lines.
/// ```
///
/// A record of codable values can be stored and played back in another process.
///
/// **Demand:** a value goes out only when asked for. `request(.none)` is accepted and does nothing.
///
/// **Completion:** the recorded one follows the last value at once, without further demand. A record without values
/// ends right behind the subscription, which is the empty one.
///
/// **Failure:** as for a completion.
///
/// **Concurrency:** values are delivered on the thread that requests them. A request from another thread, or from
/// inside a delivery, adds to the demand of the loop that is running.
public struct Record<Output, Failure: Error>: Publisher {
  /// What is played back to every subscriber.
  public let recording: Recording

  /// Makes a publisher of what a closure records.
  ///
  /// The closure runs once, before this returns.
  ///
  /// A recording that the closure leaves without a completion ends with `.finished`.
  ///
  /// - Parameter record: Fills the recording.
  @inlinable
  public init(record: (inout Recording) -> Void) {
    var recording = Recording()
    record(&recording)
    self.init(recording: recording)
  }

  /// Makes a publisher of a recording.
  ///
  /// - Parameter recording: What to play back.
  @inlinable
  public init(recording: Recording) {
    self.recording = recording
  }

  /// Makes a publisher of given values and a completion.
  ///
  /// - Parameters:
  ///   - output: The values.
  ///   - completion: How they end.
  @inlinable
  public init(output: [Output], completion: Subscribers.Completion<Failure>) {
    self.init(recording: Recording(output: output, completion: completion))
  }

  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let completion = recording.completion
    attachSequence(
      recording.output, ending: completion, nameAfterEnd: "Cancelled Events",
      mirrored: { [("sequence", $0 ?? [Output]()), ("completion", completion)] }, to: subscriber)
  }
}

extension Record {
  /// Values, and how they ended.
  ///
  /// **Traps:** a value or a second completion behind the first completion stops the process.
  public struct Recording {
    /// The kind of values recorded.
    public typealias Input = Output

    @usableFromInline
    internal enum Progress: Sendable {
      case recording, complete
    }

    @usableFromInline internal var progress: Progress

    /// The values so far.
    public private(set) var output: [Output]

    /// How they ended; `.finished` as long as nothing else has been recorded.
    public private(set) var completion: Subscribers.Completion<Failure>

    /// Makes an empty recording.
    public init() {
      progress = .recording
      output = []
      completion = .finished
    }

    /// Makes a complete recording, which takes nothing more.
    ///
    /// - Parameters:
    ///   - output: The values.
    ///   - completion: How they end.
    public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
      progress = .complete
      self.output = output
      self.completion = completion
    }

    /// Records a value.
    ///
    /// - Parameter input: The value. One behind the completion traps.
    public mutating func receive(_ input: Input) {
      if progress == .complete { trap(.recordingContinued) }
      output.append(input)
    }

    /// Records how the values ended.
    ///
    /// - Parameter completion: The end. A second one traps.
    public mutating func receive(completion: Subscribers.Completion<Failure>) {
      if progress == .complete { trap(.recordingCompletedTwice) }
      progress = .complete
      self.completion = completion
    }
  }
}

private enum RecordingKey: String, CodingKey {
  case output, completion
}

extension Record.Recording: Codable where Output: Codable, Failure: Codable {
  /// Reads `output` and `completion`.
  ///
  /// What has been read is complete.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: RecordingKey.self)
    self.init(
      output: try container.decode([Output].self, forKey: .output),
      completion: try container.decode(Subscribers.Completion<Failure>.self, forKey: .completion))
  }

  /// Writes `output` and `completion`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: RecordingKey.self)
    try container.encode(output, forKey: .output)
    try container.encode(completion, forKey: .completion)
  }

  /// Writes `output` and `completion`; the same as ``encode(to:)``.
  ///
  /// - Parameter encoder: Where to write to.
  public func encode(into encoder: any Encoder) throws {
    try encode(to: encoder)
  }
}

extension Record: Codable where Output: Codable, Failure: Codable {}

extension Record.Recording: Sendable where Output: Sendable {}

extension Record: Sendable where Output: Sendable {}
