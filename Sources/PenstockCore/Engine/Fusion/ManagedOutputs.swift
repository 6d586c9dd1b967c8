// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The outputs of a stage of the managed shape for the elements of a sequence.
///
/// So they pass through the one loop of the target that takes them, and the operator needs no subscription. The stage's
/// rules do not matter: nobody sends a signal out of turn, and nobody can cancel.
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

  @_alwaysEmitIntoClient @inline(__always)
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

/// The completion with which a stage has ended the stream, or else the one that follows the elements of a sequence.
@usableFromInline
internal struct OwnEnding<Base: _Ending>: _Ending {
  @usableFromInline internal let own: UnsafeMutablePointer<Subscribers.Completion<Base.Failure>?>
  @usableFromInline internal let base: Base

  @_alwaysEmitIntoClient
  internal init(_ own: UnsafeMutablePointer<Subscribers.Completion<Base.Failure>?>, or base: Base) {
    self.own = own
    self.base = base
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal var _completion: Subscribers.Completion<Base.Failure> { own.pointee ?? base._completion }
}
