// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// What happens to values while their groups are cancelled on another thread.
@Suite(.serialized) struct GroupHandOverTests {
  private struct Token: Sendable {
    let round: Int
    let number: Int
  }

  // Tested with a subscriber that also counts what arrives after its cancel: an operator after a group would drop that,
  // as after any publisher.
  @Test func `Each value is delivered, or told as discarded`() {
    for round in 0..<200 {
      let (delivered, discarded) = (Locked<[Int]>([]), Locked<[Int]>([]))
      discards.setHandler { value in
        if let token = value.value as? Token, token.round == round { discarded.change { $0.append(token.number) } }
      }
      defer { discards.setHandler(nil) }
      let source = PassthroughSubject<Token, Never>()
      let cancels = Locked<[UncheckedBox<AnyCancellable>]>([])
      let groups = source.grouped(by: { $0.number % 4 }, whenFull: .dropNewest)
        .sink(receiveCompletion: { _ in }) { group in
          let recorder = Recorder<Token, any Error>()
          recorder.onValue = { token in
            delivered.change { $0.append(token.number) }
            return .none
          }
          group.subscribe(recorder)
          let cancel = AnyCancellable { recorder.cancel() }
          cancels.change { $0.append(UncheckedBox(cancel)) }
        }
      let box = UncheckedBox(source)
      onThreads([
        { for number in 0..<200 { box.value.send(Token(round: round, number: number)) } },
        {
          for _ in 0..<400 {
            let all = cancels.change { cancels in
              defer { cancels = [] }
              return cancels
            }
            for cancel in all { cancel.value.cancel() }
          }
        },
      ])
      source.send(completion: .finished)
      #expect((delivered.value + discarded.value).sorted() == Array(0..<200))
      groups.cancel()
    }
  }
}
