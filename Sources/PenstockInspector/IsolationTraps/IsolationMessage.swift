// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Glibc only: elsewhere the trap stays without the text.
#if DEBUG && canImport(Glibc) && compiler(>=6.3)
  internal import Glibc
  internal import PenstockCore

  /// What is said of a closure of an actor that a pipeline calls elsewhere; read from the calls that have led there.
  internal struct IsolationMessage {
    internal let text: String

    /// `nil` if no pipeline has called.
    internal init?(_ stack: CallStack, owner: String, hop: String) {
      // Innermost is the check: this library's part of it, and the runtime's.
      let runtime = "libswift_Concurrency"
      let calls = stack.calls.drop { !$0.isIn(runtime) }.drop { $0.isIn(runtime) }
      let names = stack.names(of: calls)
      guard let first = names.firstIndex(where: { $0.map(Self.isOurs) == true }),
        let last = names.lastIndex(where: { $0.map(Self.isOurs) == true })
      else { return nil }
      // The outermost before the pipeline is the one that it has called; the check may be in what that one calls.
      let closure = names[..<first].lazy.compactMap { $0 }.map(Self.readable)
        .last { !$0.contains("thunk") && !$0.hasPrefix("partial apply") }
      let sender = names[(last + 1)...].lazy.compactMap { $0 }.map(Self.readable).first
      var text = "Penstock: \(Self.caller(names[first...].compactMap { $0 })) called a closure of \(owner) on another "
      text += "thread: \(Self.thread).\n"
      if let closure { text += "  The closure: \(closure)\n" }
      if let name = names[last].map(Self.readable) { text += "  Delivered by: \(name)\n" }
      if let sender { text += "  Called from: \(sender)\n" }
      text += """
          A closure that is written in code of an actor belongs to it, unless it is marked @Sendable. Do one of these:
          - if it uses nothing of the actor's, mark it: { @Sendable in … }, or write it in a nonisolated function;
          - put a hop upstream of it: \(hop);
          - end the pipeline with sink(on:) of PenstockConcurrency, whose closure runs on the actor.

        """
      self.text = text
    }

    /// The calling thread's number, as debuggers show it, and its name.
    private static var thread: String {
      typealias Name = @convention(c) (pthread_t, UnsafeMutablePointer<CChar>, Int) -> CInt
      let number = threadNumber.map { "\($0())" } ?? "\(currentThread())"
      var name = [CChar](repeating: 0, count: 64)
      let result = cFunction("pthread_getname_np", as: Name.self)?(pthread_self(), &name, name.count)
      guard result == 0 else { return number }
      return "\(number) (\(String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)))"
    }

    // MARK: Names

    private static let modules = [
      "PenstockCore", "PenstockDispatch", "PenstockFoundation", "Penstock", "PenstockOperators",
      "PenstockOperatorsFoundation", "PenstockConcurrency", "PenstockTesting",
    ]

    /// How the mangled name of a member of one of our modules begins.
    private static let prefixes = modules.map { "$s\($0.utf8.count)\($0)" }
    /// What is in the mangled name of a member that one of our modules adds to a type of another one.
    private static let extensions = modules.map { "\($0.utf8.count)\($0)E" }

    private static func isOurs(_ name: String) -> Bool {
      prefixes.contains { name.hasPrefix($0) } || extensions.contains { name.contains($0) }
    }

    /// The names of the types that a mangled name begins with.
    private static func types(in name: String) -> [Substring] {
      guard let prefix = prefixes.first(where: { name.hasPrefix($0) }) else { return [] }
      var (types, rest) = ([Substring](), name.dropFirst(prefix.count))
      while true {
        let digits = rest.prefix { $0.isNumber }
        guard let length = Int(digits), length > 0 else { return types }
        rest = rest.dropFirst(digits.count)
        let (type, kind) = (rest.prefix(length), rest.dropFirst(length).first)
        // A class, a structure or an enumeration; else it is a function.
        guard let kind, "CVO".contains(kind) else { return types }
        types.append(type)
        rest = rest.dropFirst(length + 1)
      }
    }

    /// The operator or the end of the pipeline that the innermost calls belong to.
    private static func caller(_ names: [String]) -> String {
      let isThrowing = names.first.map { types(in: $0).first?.hasPrefix("Throwing") == true } ?? false
      for name in names {
        if let method = methodWithClosure(name) { return method }
        guard let found = types(in: name).lazy.compactMap(user(of:)).first else { continue }
        return isThrowing ? "try" + found.prefix(1).uppercased() + found.dropFirst() : found
      }
      return names.first.map { "\"" + readable($0) + "\"" } ?? "a publisher"
    }

    /// The method of `Publisher` that a closure of the library's is written in: an operator made of others.
    private static func methodWithClosure(_ name: String) -> String? {
      guard name.hasPrefix("$s12PenstockCore9PublisherP"), name.contains("U_") else { return nil }
      let words = readable(name).split(separator: "PenstockCore.Publisher.")
      return words.last.map { String($0.prefix { $0.isLetter || $0.isNumber || $0 == "_" }) }
    }

    /// The name that users know of what a type of the library's is part of.
    private static func user(of type: Substring) -> String? {
      switch type {
      case "SinkResident", "SinkClosures", "SinkStorage": return "sink"
      case "ClosureSubscriber": return "AnySubscriber"
      case "ClosureCanceller": return "AnyCancellable"
      case "ComparisonStage": return "max(by:)"
      case "Deferred", "Future", "Sink": return String(type)
      case "ScheduledWork": return "schedule"
      default: break
      }
      for part in ["Stage", "Rule", "UpstreamHandler"] where type.hasSuffix(part) && type != part {
        let name = type.prefix(1).lowercased() + type.dropFirst().dropLast(part.count)
        for label in ["Where", "While"] where name.hasSuffix(label) {
          return name.dropLast(label.count) + "(\(label.lowercased()):)"
        }
        return name
      }
      return nil
    }

    /// A name as in the source.
    private static func readable(_ name: String) -> String {
      guard let demangled = demangle(name, UInt(name.utf8.count), nil, nil, 0) else { return name }
      defer { free(demangled) }
      return String(cString: demangled)
    }
  }

  @_silgen_name("swift_demangle")
  private func demangle(
    _ name: UnsafePointer<CChar>?, _ length: UInt, _ output: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<UInt>?, _ flags: UInt32
  ) -> UnsafeMutablePointer<CChar>?
#endif
