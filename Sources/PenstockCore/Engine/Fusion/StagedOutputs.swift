// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The outputs of a stage with state for the elements of a sequence: so they pass through the one loop of the target that
// takes them, and the operator needs no subscription. The stage's rules do not matter: nobody sends a signal out of
// turn, and nobody can cancel.

/// The outputs of a stage of the managed shape, which may end the stream.
@usableFromInline
internal struct ManagedOutputs<Base: Sequence, Work: ManagedStage>: Sequence, IteratorProtocol
where Work.Input == Base.Element {
  @usableFromInline internal typealias End = Subscribers.Completion<Work.Channel.Downstream>

  @usableFromInline internal var base: Base.Iterator
  @usableFromInline internal let stage: Work
  /// The completion, if the stage ends the stream.
  ///
  /// By address, since the sequence is copied; and with it there are few fields enough to be kept in registers.
  @usableFromInline internal let end: UnsafeMutablePointer<End?>

  @inlinable
  internal init(_ base: Base, _ stage: Work, end: UnsafeMutablePointer<End?>) {
    self.base = base.makeIterator()
    self.stage = stage
    self.end = end
  }

  @inlinable @inline(__always)
  internal mutating func next() -> Work.Output? {
    if end.pointee != nil { return nil }
    while let element = base.next() {
      do throws(Work.Channel.Thrown) {
        switch try stage.receive(element) {
        case .emit(let output): return output
        case .skip, .absorb: continue
        case .finish: end.pointee = .finished
        case .emitAndFinish(let output):
          end.pointee = .finished
          return output
        case .fail(let failure): end.pointee = .failure(failure)
        }
      } catch {
        end.pointee = .failure(Work.Channel.raise(error))
      }
      return nil
    }
    return nil
  }
}

/// The outputs of a stage of the queued shape, which may have more of them when upstream has ended.
///
/// Everything has been requested, so nothing is held for want of demand.
@usableFromInline
internal struct QueuedOutputs<Base: Sequence, Work: QueuedStage>: Sequence, IteratorProtocol
where Work.Input == Base.Element {
  @usableFromInline internal typealias End = Subscribers.Completion<Work.Channel.Downstream>

  @usableFromInline internal var base: Base.Iterator
  @usableFromInline internal let stage: Work
  @usableFromInline internal let ending: () -> Subscribers.Completion<Work.Channel.Upstream>
  @usableFromInline internal let end: UnsafeMutablePointer<End?>
  /// The outputs at the end of the stream.
  @usableFromInline internal var rest: Outputs<Work.Output>?

  @inlinable
  internal init(
    _ base: Base, _ stage: Work, ending: @escaping () -> Subscribers.Completion<Work.Channel.Upstream>,
    end: UnsafeMutablePointer<End?>
  ) {
    self.base = base.makeIterator()
    self.stage = stage
    self.ending = ending
    self.end = end
  }

  @inlinable @inline(__always)
  internal mutating func next() -> Work.Output? {
    if rest != nil { return rest?.popFirst() }
    while let element = base.next() {
      do throws(Work.Channel.Thrown) {
        switch try stage.receive(element) {
        case .emit(let output): return output
        case .skip, .absorb: continue
        case .finish: return finish(.finished)
        case .emitAndFinish(let output): return finish(.finished, after: output)
        case .fail(let failure): end.pointee = .failure(failure)
        }
      } catch {
        end.pointee = .failure(Work.Channel.raise(error))
      }
      return nil
    }
    return finish(ending())
  }

  /// Ends the stream once; a failure discards the outputs that are left.
  @inlinable
  internal mutating func finish(
    _ completion: Subscribers.Completion<Work.Channel.Upstream>, after output: consuming Work.Output? = nil
  ) -> Work.Output? {
    var outputs = Outputs<Work.Output>()
    if let output = output.take() { outputs.append(output) }
    let completion = stage.finish(completion, into: &outputs)
    end.pointee = completion
    if case .failure = completion, !Work.failureWaits { return nil }
    let first = outputs.popFirst()
    rest = outputs
    return first
  }
}
