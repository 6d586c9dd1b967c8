// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct FilterTests {
  private typealias Source = ManualPublisher<Int, TestError>
  private let source = Source()

  @Test(arguments: [0, 1, 6])
  func `Only those values pass that are let through`(_ count: Int) {
    let recorder = Recorder<Int, Never>()
    Publishers.Filter(upstream: (0..<count).publisher) { $0.isMultiple(of: 2) }.subscribe(recorder)
    #expect(recorder.values == (0..<count).filter { $0.isMultiple(of: 2) })
    #expect(recorder.isFinished)
  }

  @Test func `A value held back is answered with a request for another`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1), answering: .max(7))
    source.filter { $0 > 0 }.subscribe(recorder)
    #expect(source.send(-1) == .max(1))
    #expect(source.send(1) == .max(7))
    #expect(recorder.values == [1])
  }

  @Test func `A value that tryFilter holds back is answered the same way`() {
    let recorder = Recorder<Int, any Error>(demand: .max(1), answering: .max(7))
    source.tryFilter { $0 > 0 }.subscribe(recorder)
    #expect(source.send(-1) == .max(1))
    #expect(source.send(1) == .max(7))
    #expect(recorder.values == [1])
  }

  @Test(arguments: [1, 3])
  func `So downstream gets as many as it has asked for`(_ count: Int) {
    let recorder = Recorder<Int, Never>(demand: .max(count))
    Publishers.Filter(upstream: (1...100).publisher) { $0.isMultiple(of: 10) }.subscribe(recorder)
    #expect(recorder.values == Array([10, 20, 30].prefix(count)))
    #expect(!recorder.isFinished)
  }

  @Test func `Two filters are one, and the second is asked only about what the first lets through`() {
    var asked: [Int] = []
    let fused: Publishers.Filter<Source> = source.filter { $0 > 0 }.filter { number in
      asked.append(number)
      return number > 10
    }
    #expect(fused.upstream === source)
    #expect([-1, 5, 15].map(fused.isIncluded) == [false, false, true])
    #expect(asked == [5, 15])
  }

  @Test func `A filter and a throwing one are one, in either order`() throws {
    let big: (Int) -> Bool = { $0 > 10 }
    let positive: (Int) throws -> Bool = { if $0 == 0 { throw TestError.oops } else { $0 > 0 } }
    let fused: [Publishers.TryFilter<Source>] = [
      source.filter(big).tryFilter(positive), source.tryFilter(positive).filter(big),
      source.tryFilter(positive).tryFilter(big),
    ]
    for filter in fused {
      #expect(filter.upstream === source)
      #expect(try [-1, 5, 15].map(filter.isIncluded) == [false, false, true])
    }
    #expect(try fused[0].isIncluded(0) == false)
    #expect(throws: TestError.oops) { try fused[1].isIncluded(0) }
    #expect(throws: TestError.oops) { try fused[2].isIncluded(0) }
  }
}
