// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

/// The subjects, schedulers, shared streams and subscriptions of a run.
final class Parts: @unchecked Sendable {
  let program: Program
  let sources: [Source]
  let lanes: [Lane]
  private let sharedStreams = Guard<[Shared]>([])
  private let handles: Guard<[[any Handle]]>
  unowned let world: World

  init(_ program: Program, in world: World) {
    self.program = program
    self.world = world
    sources = program.subjects.map(Source.init)
    lanes = program.lanes.map(Lane.init)
    handles = Guard(program.pipelines.map { _ in [] })
    // One after the other, since a shared stream may use those before it.
    for stream in program.shared {
      let made = Shared(stream, of: Builder(self, world: world).stream(stream.node))
      sharedStreams.change { $0.append(made) }
    }
  }

  /// Subscribes to a pipeline again.
  func subscribe(_ index: Int) {
    let pipeline = program.pipelines[index]
    let stream = Builder(self, world: world).stream(pipeline.node)
    let checks = program.checks(of: pipeline.node)
    let checked = Checked(
      upstream: stream, place: "pipeline \(index)", checks: checks, dwell: pipeline.terminal.dwell, world: world)
    let handle = attach(pipeline, to: checked, in: world)
    handles.change { $0[index].append(handle) }
  }

  func latestHandle(of index: Int) -> (any Handle)? { handles.change { $0[index].last } }

  /// The subscribers of a pipeline that count.
  func tallies(of index: Int) -> [Tally] { handles.value[index].compactMap { $0.tally } }

  func cancelAll() {
    let all = handles.change { handles in
      defer { handles = handles.map { _ in [] } }
      return handles
    }
    for handle in all.joined() { handle.cancel() }
    for stream in sharedStreams.value { stream.disconnect() }
  }

  /// Drops all cancellables, one after the other, without calling `cancel`.
  func dropAll() {
    let all = handles.change { handles in
      defer { handles = handles.map { _ in [] } }
      return handles
    }
    for handle in all.joined() { handle.drop() }
    for stream in sharedStreams.value { stream.disconnect() }
  }

  func shared(_ index: Int) -> Shared? {
    sharedStreams.change { $0.indices.contains(index) ? $0[index] : nil }
  }

  /// Cancels everything, and releases the shared streams, whose closures make streams from these parts.
  func takeApart() {
    cancelAll()
    let old = sharedStreams.change { streams in
      defer { streams = [] }
      return streams
    }
    withExtendedLifetime(old) {}
  }

  func advance(milliseconds: Int) {
    for lane in lanes { lane.advance(milliseconds: milliseconds) }
  }

  func perform(_ act: Act) {
    switch act.kind {
    case .send: sources[act.target].send(.loose(act.amount))
    case .finish: sources[act.target].send(completion: .finished)
    case .fail: sources[act.target].send(completion: .failure(Fault()))
    case .cancel: latestHandle(of: act.target)?.cancel()
    case .request: latestHandle(of: act.target)?.request(.max(act.amount))
    case .resume: latestHandle(of: act.target)?.resume()
    case .visit: sources[act.target].stream.sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
    case .connect: shared(act.target)?.connect()
    case .disconnect: shared(act.target)?.disconnect()
    }
  }
}
