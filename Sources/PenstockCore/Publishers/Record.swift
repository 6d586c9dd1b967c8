// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher that replays recorded values and their completion.
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
/// A record of codable values can be stored and replayed in another process.
///
/// **Demand:** values are delivered as they are requested. `request(.none)` is accepted and has no effect.
///
/// **Completion:** the recorded one follows the last value at once, without further demand. A record without values
/// ends right after the subscription, which is the empty one.
///
/// **Failure:** as for a completion.
///
/// **Concurrency:** values are delivered on the thread that requests them. A request from another thread, or during a
/// delivery, adds to the demand of the delivery in progress.
public struct Record<Output, Failure: Error>: Publisher {
  /// The recording that every subscriber receives.
  public let recording: Recording

  /// Creates a publisher of the values that a closure records.
  ///
  /// The closure runs once, before this initializer returns.
  ///
  /// If the closure records no completion, the recording ends with `.finished`.
  ///
  /// - Parameter record: A closure that fills the recording.
  @_alwaysEmitIntoClient
  public init(record: (inout Recording) -> Void) {
    var recording = Recording()
    record(&recording)
    self.init(recording: recording)
  }

  /// Creates a publisher of a recording.
  ///
  /// - Parameter recording: The recording to replay.
  @_alwaysEmitIntoClient
  public init(recording: Recording) {
    self.recording = recording
  }

  /// Creates a publisher of given values and a completion.
  ///
  /// - Parameters:
  ///   - output: The values.
  ///   - completion: The completion that follows them.
  @_alwaysEmitIntoClient
  public init(output: [Output], completion: Subscribers.Completion<Failure>) {
    self.init(recording: Recording(output: output, completion: completion))
  }

  @_alwaysEmitIntoClient @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let completion = recording.completion
    attachSequence(
      recording.output, ending: completion, nameAfterEnd: "Cancelled Events",
      mirrored: { [("sequence", $0 ?? [Output]()), ("completion", completion)] }, to: subscriber)
  }

  @_alwaysEmitIntoClient @inline(__always)
  public static var _offer: _Offer { .elements }

  @_alwaysEmitIntoClient @inline(__always)
  public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
  where Target.Input == Output, Target.Failure == Failure {
    guard Target._traits.takesElements, target._isReady else { return target._subscribe(to: self) }
    return target._receive(recording.output, ending: recording.completion)
  }
}

extension Record {
  /// A list of recorded values and their completion.
  ///
  /// **Traps:** a value or a second completion after the completion.
  public struct Recording {
    /// The type of the recorded values.
    public typealias Input = Output

    internal enum Progress: Sendable {
      case recording, complete
    }

    internal var progress: Progress

    /// The values so far.
    public private(set) var output: [Output]

    /// The completion after the values; `.finished` as long as nothing else has been recorded.
    public private(set) var completion: Subscribers.Completion<Failure>

    /// Creates an empty recording.
    public init() {
      progress = .recording
      output = []
      completion = .finished
    }

    /// Creates a complete recording, which accepts no more events.
    ///
    /// - Parameters:
    ///   - output: The values.
    ///   - completion: The completion that follows them.
    public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
      progress = .complete
      self.output = output
      self.completion = completion
    }

    /// Records a value.
    ///
    /// - Parameter input: The value. A value after the completion traps.
    public mutating func receive(_ input: Input) {
      if progress == .complete { trap(.recordingContinued) }
      output.append(input)
    }

    /// Records the completion.
    ///
    /// - Parameter completion: The completion. A second one traps.
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
  /// Decodes `output` and `completion`.
  ///
  /// The decoded recording is complete.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: RecordingKey.self)
    self.init(
      output: try container.decode([Output].self, forKey: .output),
      completion: try container.decode(Subscribers.Completion<Failure>.self, forKey: .completion))
  }

  /// Encodes `output` and `completion`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: RecordingKey.self)
    try container.encode(output, forKey: .output)
    try container.encode(completion, forKey: .completion)
  }

  /// Encodes `output` and `completion`; the same as ``encode(to:)``.
  ///
  /// - Parameter encoder: The encoder to write to.
  public func encode(into encoder: any Encoder) throws {
    try encode(to: encoder)
  }
}

extension Record: Codable where Output: Codable, Failure: Codable {}

extension Record.Recording: Sendable where Output: Sendable {}

extension Record: Sendable where Output: Sendable {}
