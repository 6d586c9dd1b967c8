import PenstockCore
import Testing
import TestSupport

@Test func `A chain delivers values and completion`() {
  let r = Recorder<Int, Never>()
  (1...3).publisher.map { $0 * 2 }.filter { $0 > 2 }.subscribe(r)
  #expect(r.values == [4, 6])
  #expect(r.isFinished)
  #expect(r.subscriptionTexts == ["1...3"])
}
@Test func `Asking for nothing traps`() async {
  await #expect(processExitsWith: .failure) {
    let s = PassthroughSubject<Int, Never>()
    let r = Recorder<Int, Never>(demand: .some(.none))
    s.subscribe(r)
  }
}
