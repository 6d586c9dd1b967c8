// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The outputs of a stage of the queued shape for the elements of a sequence, and those that are left at the end.
///
/// Nothing is held, since everything has been requested; otherwise as ``ManagedOutputs``.
@usableFromInline
internal struct QueuedOutputs<Base: Sequence, Ending: _Ending, Work: QueuedStage>: Sequence, IteratorProtocol
where Work.Input == Base.Element, Work.Channel.Upstream == Ending.Failure {
  @usableFromInline internal var base: Base.Iterator
  @usableFromInline internal let ending: Ending
  @usableFromInline internal let stage: Work
  @usableFromInline internal let end: UnsafeMutablePointer<QueuedEnd<Work>?>

  @inlinable
  internal init(_ base: Base, _ ending: Ending, _ stage: Work, end: UnsafeMutablePointer<QueuedEnd<Work>?>) {
    self.base = base.makeIterator()
    self.ending = ending
    self.stage = stage
    self.end = end
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal mutating func next() -> Work.Output? {
    if end.pointee != nil { return end.pointee.next() }
    while let element = base.next() {
      do throws(Work.Channel.Thrown) {
        switch try stage.receive(element) {
        case .emit(let output): return output
        case .skip, .absorb: continue
        case .finish: end.pointee = QueuedEnd(.finished, of: stage)
        case .emitAndFinish(let output): end.pointee = QueuedEnd(.finished, of: stage, after: output)
        case .fail(let failure): end.pointee = QueuedEnd(.failure(failure))
        }
      } catch {
        end.pointee = QueuedEnd(.failure(Work.Channel.raise(error)))
      }
      return end.pointee.next()
    }
    end.pointee = QueuedEnd(ending._completion, of: stage)
    return end.pointee.next()
  }
}

/// The end of the stream of a stage of the queued shape: the outputs that are left, and the completion after them.
@usableFromInline
internal struct QueuedEnd<Work: QueuedStage>: _Ending {
  @usableFromInline internal var outputs = Outputs<Work.Output>()
  @usableFromInline internal let _completion: Subscribers.Completion<Work.Channel.Downstream>

  @inlinable
  internal init(_ completion: Subscribers.Completion<Work.Channel.Downstream>) { _completion = completion }

  // Functions of their own, as the next one: they run once in a stream.
  @inlinable @inline(never)
  internal init(
    _ completion: Subscribers.Completion<Work.Channel.Upstream>, of stage: Work,
    after output: consuming Work.Output? = nil
  ) {
    if let output = output.take() { outputs.append(output) }
    _completion = stage.finish(completion, into: &outputs)
    if case .failure = _completion, !Work.failureWaits { outputs = Outputs() }
  }
}

extension Optional {
  /// Takes the next of the outputs that are left.
  @inlinable @inline(never)
  internal mutating func next<Work: QueuedStage>() -> Work.Output? where Wrapped == QueuedEnd<Work> {
    self?.outputs.popFirst()
  }
}

/// The completion of a stage that has ended its stream.
@usableFromInline
internal struct QueuedEnding<Work: QueuedStage>: _Ending {
  @usableFromInline internal let end: UnsafeMutablePointer<QueuedEnd<Work>?>

  @_alwaysEmitIntoClient
  internal init(_ end: UnsafeMutablePointer<QueuedEnd<Work>?>) { self.end = end }

  @_alwaysEmitIntoClient @inline(__always)
  internal var _completion: Subscribers.Completion<Work.Channel.Downstream> {
    end.pointee.unsafelyUnwrapped._completion
  }
}
