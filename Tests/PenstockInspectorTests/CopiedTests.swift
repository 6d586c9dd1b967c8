// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockTesting
import Testing

/// What the inspector's page copies as marble tests: `MarbleCopyTests` makes this file, and compares it.
@Suite struct CopiedTests {
  @Test func `values, as recorded`() throws {
    let diagram = try MarbleDiagram(
      """
      step      50ms
      source    g{50ms}'ga'{150ms}'gate'
      expected  g{50ms}'ga'{150ms}'gate'
      """)
    try diagram.verify { bench in
      // Here goes what comes behind “values”, with bench.scheduler as its scheduler.
      bench.source()
    }
  }

  @Test func `several at once, as recorded`() throws {
    let diagram = try MarbleDiagram(
      """
      step      50ms
      source    [abc]{400ms}[de]
      expected  [abc]{400ms}[de]
      """)
    try diagram.verify { bench in
      // Here goes what comes behind “several at once”, with bench.scheduler as its scheduler.
      bench.source()
    }
  }

  @Test func `completion, as recorded`() throws {
    let diagram = try MarbleDiagram(
      """
      step      50ms
      source    a{100ms}|
      expected  a{100ms}|
      """)
    try diagram.verify { bench in
      // Here goes what comes behind “completion”, with bench.scheduler as its scheduler.
      bench.source()
    }
  }

  @Test func `failure, as recorded`() throws {
    let diagram = try MarbleDiagram(
      """
      step      50ms
      source    a{100ms}[b#]
      expected  a{100ms}[b#]
      """)
    try diagram.verify { bench in
      // Here goes what comes behind “failure”, with bench.scheduler as its scheduler.
      bench.source()
    }
  }

  @Test func `failure alone, as recorded`() throws {
    let diagram = try MarbleDiagram(
      """
      step      50ms
      source    #
      expected  #
      """)
    try diagram.verify { bench in
      // Here goes what comes behind “failure alone”, with bench.scheduler as its scheduler.
      bench.source()
    }
  }

  @Test func `cancel, as recorded`() throws {
    let diagram = try MarbleDiagram(
      """
      step      50ms
      source    a{300ms}b
      expected  a{300ms}b{50ms}!
      """)
    try diagram.verify { bench in
      // Here goes what comes behind “cancel”, with bench.scheduler as its scheduler.
      bench.source()
    }
  }

  @Test func `cancel alone, as recorded`() throws {
    let diagram = try MarbleDiagram(
      """
      step      50ms
      source    -
      expected  !
      """)
    try diagram.verify { bench in
      // Here goes what comes behind “cancel alone”, with bench.scheduler as its scheduler.
      bench.source()
    }
  }

  @Test func `a long pause, as recorded`() throws {
    let diagram = try MarbleDiagram(
      """
      step      500ms
      source    a{480min}b{1s}c
      expected  a{480min}b{1s}c
      """)
    try diagram.verify { bench in
      // Here goes what comes behind “a long pause”, with bench.scheduler as its scheduler.
      bench.source()
    }
  }

  @Test func `requests, as recorded`() throws {
    let diagram = try MarbleDiagram(
      """
      step      50ms
      source    a{100ms}b{100ms}c{100ms}d
      expected  a{100ms}b{100ms}c{100ms}d
      """)
    try diagram.verify { bench in
      // Here goes what comes behind “requests”, with bench.scheduler as its scheduler.
      bench.source()
    }
  }

  @Test func `earlier, as recorded`() throws {
    // 8 earlier signals are not in it.
    let diagram = try MarbleDiagram(
      """
      step      50ms
      source    [ijklmnopqrstuvwxyzABCDEFGHIJKLMN]
      expected  [ijklmnopqrstuvwxyzABCDEFGHIJKLMN]
      """)
    try diagram.verify { bench in
      // Here goes what comes behind “earlier”, with bench.scheduler as its scheduler.
      bench.source()
    }
  }

  @Test func `a�b�(c) " , as recorded`() throws {
    let diagram = try MarbleDiagram(
      """
      step      50ms
      source    ['""�''it�s''�(x)''two�lines''�́accent�'''' ''�back''👩‍👩‍👧 é''{"a": [1, "b"]}']
      expected  ['""�''it�s''�(x)''two�lines''�́accent�'''' ''�back''👩‍👩‍👧 é''{"a": [1, "b"]}']
      """)
    try diagram.verify { bench in
      // Here goes what comes behind “a�b�(c) " ”, with bench.scheduler as its scheduler.
      bench.source()
    }
  }
}
