// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockTesting

enum ComingFromTurbine {
  // Turbine | `awaitItem()`
  static func awaitItem() async throws {
    let subject = PassthroughSubject<Int, Never>()
    let recording = subject.record()
    let sender = Task { for number in 1...2 { subject.send(number) } }
    expect(try await recording.next(), [1])
    try await recording.expectNext(within: .seconds(60)) { $0 > 1 }
    await sender.value
    recording.cancel()
    try recording.finish()
  }

  // Turbine | `skipItems(2)`
  static func skipItems() async throws {
    let subject = PassthroughSubject<Int, Never>()
    let recording = subject.record()
    let sender = Task { for number in 1...5 { subject.send(number) } }
    try await recording.skip(2, within: .seconds(60))
    await sender.value
    try recording.skip(2)
    try recording.expectNext(5)
    recording.cancel()
    try recording.finish()
  }

  // Turbine | `awaitComplete()`, `awaitError()`
  static func ends() async throws {
    try await Empty<Int, Never>().record().expectFinished(within: .seconds(60))
    let error = try await Fail<Int, Trouble>(error: .denied).record().expectFailure(within: .seconds(60))
    expect(error, .denied)
  }

  // Turbine | `expectNoEvents()`
  static func expectNoEvents() throws {
    let recording = PassthroughSubject<Int, Never>().record()
    try recording.expectNothing()
    recording.cancel()
  }

  // Turbine | `testIn(scope, name = "search")`
  static func names() throws {
    let subject = PassthroughSubject<Int, Never>()
    let (search, shown) = (subject.record("search"), subject.map { $0 * 2 }.record("shown"))
    subject.send(1)
    try search.expectNext(1)
    try shown.expectNext(2)
    expect([search.name, shown.name], ["search", "shown"])
    for recording in [search, shown] { recording.cancel() }
  }

  // Turbine | `cancelAndIgnoreRemainingEvents()`
  static func ignoring() throws {
    let subject = PassthroughSubject<Int, Never>()
    let recording = subject.record(atEnd: .rules)
    subject.send(1)
    recording.cancel()
    try recording.finish()
  }
}
