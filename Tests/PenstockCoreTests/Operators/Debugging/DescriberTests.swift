// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import Testing

/// A type with every kind of description that the standard library knows.
private struct Streamed: TextOutputStreamable, CustomStringConvertible, CustomDebugStringConvertible {
  let description = "described"
  let debugDescription = "debugged"
  func write<Target: TextOutputStream>(to target: inout Target) { target.write("streamed") }
}

private struct Described: CustomStringConvertible, CustomDebugStringConvertible {
  let number: Int
  var description: String { "number \(number)" }
  var debugDescription: String { "debugged" }
}

private struct Debugged: CustomDebugStringConvertible {
  let debugDescription = "debugged"
}

private struct Plain {
  let number = 1
  let text = "one"
}

private enum Choice { case first, second(Int) }

private struct Holder<Element> { let element: Element }

extension Holder: CustomStringConvertible where Element == Int {
  var description: String { "holds \(element)" }
}

private class Base: CustomStringConvertible {
  var description: String { "base" }
}

private class Overriding: Base {
  override var description: String { "overriding" }
}

private class Streaming: Base, TextOutputStreamable {
  func write<Target: TextOutputStream>(to target: inout Target) { target.write("streaming") }
}

private class Silent {}
private class Speaking: Silent, CustomStringConvertible { let description = "speaking" }

@Suite struct DescriberTests {
  /// Both descriptions of a value, by the type for which the describer is made.
  private func texts<Value>(_ value: Value) -> (described: String, expected: String) {
    (Describer<Value>().describe(value), String(describing: value))
  }

  @Test func `Values are written as the standard library writes them`() {
    let all = [
      texts(42), texts(-1.5), texts("text"), texts(Character("c")), texts("text"[...]), texts(true), texts(()),
      texts(Int?.some(1)), texts(Int?.none), texts("text" as String?), texts([1, 2]), texts(["a": 1]),
      texts([1] as Set),
      texts((1, "one")), texts(Streamed()), texts(Described(number: 3)), texts(Described(number: 3) as Described?),
      texts(Debugged()), texts(Plain()), texts(Choice.first), texts(Choice.second(2)), texts(Holder(element: 1)),
      texts(Holder(element: "one")), texts(Int.self), texts(1..<3), texts(Result<Int, Never>.success(1)),
    ]
    for (described, expected) in all { #expect(described == expected) }
  }

  @Test func `An object is written by its own class, not by the one that the stream is of`() {
    #expect(texts(Base()) == ("base", "base"))
    #expect(texts(Overriding() as Base) == ("overriding", "overriding"))
    #expect(texts(Streaming() as Base) == ("streaming", "streaming"))
    #expect(texts(Speaking() as Silent) == ("speaking", "speaking"))
  }

  @Test func `What is in a box is written as what it is`() {
    #expect(texts(Described(number: 4) as Any) == ("number 4", "number 4"))
    #expect(texts(Streamed() as any CustomStringConvertible) == ("streamed", "streamed"))
    #expect(texts(AnyHashable(7)) == ("7", "7"))
  }
}
