// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import TestSupport
import Testing

@Suite struct BreakpointTests {
  private let source = ManualPublisher<Int, TestError>()

  @Test func `The closures are asked about everything, before it goes on`() {
    var log: [String] = []
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onSubscription = { log.append("> \($0)") }
    recorder.onValue = { value in
      log.append("> \(value)")
      return .none
    }
    recorder.onCompletion = { log.append("> \($0)") }
    let note = { (event: Any) -> Bool in
      log.append("\(event)")
      return false
    }
    source.breakpoint(receiveSubscription: note, receiveOutput: note, receiveCompletion: note).subscribe(recorder)
    source.send(1)
    source.send(completion: .finished)
    #expect(log == ["ManualSubscription", "> ManualSubscription", "1", "> 1", "finished", "> finished"])
  }

  @Test func `Without closures nothing stops`() {
    let recorder = Recorder<Int, TestError>()
    source.breakpoint().subscribe(recorder)
    source.send(1)
    source.send(completion: .failure(.oops))
    #expect(recorder.values == [1])
    #expect(recorder.completions == [.failure(.oops)])
  }

  @Test func `The closures can be read`() {
    let publisher = source.breakpoint(receiveOutput: { $0 > 1 })
    #expect(publisher.upstream === source)
    #expect(publisher.receiveOutput?(2) == true)
    #expect(publisher.receiveSubscription == nil)
    #expect(publisher.receiveCompletion == nil)
  }

  @Test func `breakpointOnError lets a stream without an error be`() {
    let recorder = Recorder<Int, TestError>()
    source.breakpointOnError().subscribe(recorder)
    source.send(1)
    source.send(completion: .finished)
    #expect(recorder.isFinished)
  }
}

#if !os(Windows)
  /// The number of the signal that stops the process.
  @Suite struct BreakpointStops {
    private static let trapSignal: CInt = 5

    @Test(arguments: ["subscription", "output", "completion", "error"])
    func `A closure that says yes stops before the event goes on`(_ event: String) async {
      let result = await #expect(
        processExitsWith: .signal(Self.trapSignal), observing: [\.standardErrorContent]
      ) { [event] in
        let print = { (text: String) in FileHandle.standardError.write(Data(text.utf8)) }
        let source = ManualPublisher<Int, TestError>()
        let recorder = Recorder<Int, TestError>(demand: nil)
        recorder.onSubscription = { _ in print("saw subscription") }
        recorder.onValue = { _ in
          print("saw output")
          return .none
        }
        recorder.onCompletion = { _ in print("saw completion") }
        switch event {
        case "subscription": source.breakpoint(receiveSubscription: { _ in true }).subscribe(recorder)
        case "output": source.breakpoint(receiveOutput: { $0 == 1 }).subscribe(recorder)
        case "completion": source.breakpoint(receiveCompletion: { _ in true }).subscribe(recorder)
        default: source.breakpointOnError().subscribe(recorder)
        }
        source.send(1)
        source.send(completion: .failure(.oops))
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      let seen = ["saw subscription", "saw output", "saw completion"].filter { text.contains($0) }
      let expected = ["subscription": 0, "output": 1, "completion": 2, "error": 2]
      #expect(seen.count == expected[event])
    }

    @Test func `A handler that reports a crash, and then returns, does not keep it from stopping`() async {
      let result = await #expect(
        processExitsWith: .signal(Self.trapSignal), observing: [\.standardErrorContent]
      ) {
        // As the Swift runtime does when it prints a backtrace.
        signal(5) { number in
          FileHandle.standardError.write(Data("reported ".utf8))
          signal(number, SIG_DFL)
        }
        Just(1).breakpoint(receiveOutput: { _ in true }).subscribe(Recorder<Int, Never>())
        FileHandle.standardError.write(Data("went on ".utf8))
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("reported"))
      #expect(!text.contains("went on"))
    }
  }
#endif
