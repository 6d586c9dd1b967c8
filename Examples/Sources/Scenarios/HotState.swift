// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

/// A basin that knows its level, and publishes when the level has changed.
private final class Basin {
  @DidSetPublished var level = 1
  var inflow: AnyCancellable?
  private let note: (String) -> Void

  init(note: @escaping (String) -> Void) {
    self.note = note
  }

  deinit {
    note("The basin is released at level \(level)")
  }

  var isFull: Bool { level > 3 }
}

extension Scenario {
  static let hotState = Scenario(
    name: "state", heading: "State: what latecomers learn, relays that do not end, and a property read in time"
  ) { page, tempo in
    var logger = tempo.logger(to: page)
    func note(_ text: String) { print(text, to: &logger) }

    page.print("ReplaySubject: the messages of the last second, and not more than two")
    let messages = ReplaySubject<String, Never>(capacity: 2, maximumAge: 1, scheduler: tempo)
    messages.send("The gate opens")
    tempo.run(for: 0.8)
    for text in ["The pump starts", "The pump stops"] { messages.send(text) }
    let early = messages.sink { note("Early reader: \($0)") }
    tempo.run(for: 0.6)
    messages.send("The gate shuts")
    tempo.run(for: 0.6)
    messages.send(completion: .finished)
    let late = messages.sink { note("Late reader: \($0)") }
    for reader in [early, late] { reader.cancel() }

    page.print("AsyncSubject: the result, however far the work has got, and for latecomers too")
    let work = AsyncSubject<Int, Never>()
    let first = work.sink { page.print("  the first reads \($0) %") }
    for percent in [20, 70, 100] { work.send(percent) }
    work.send(completion: .finished)
    let second = work.sink { page.print("  the second reads \($0) %") }
    for reader in [first, second] { reader.cancel() }

    page.print("A relay, two shifts that end, and a basin that nobody keeps")
    let levels = PassthroughRelay<Int>()
    var basin: Basin? = Basin { page.print("  \($0)") }
    // The basin keeps the assignment, which keeps the basin only if told to.
    basin?.inflow = basin.map { levels.assign(to: \.level, on: $0, ownership: .weak) }
    // With Published, the basin would still have its previous level here.
    let view = basin?.$level.sink { [unowned basin] level in
      page.print("  level \(level), \(basin?.isFull == true ? "full" : "not full")")
    }
    for shift in [[2, 3], [4]] {
      let cancellable = shift.publisher.subscribe(levels)
      cancellable.cancel()
    }
    basin = nil
    levels.accept(5)
    view?.cancel()
  }
}
