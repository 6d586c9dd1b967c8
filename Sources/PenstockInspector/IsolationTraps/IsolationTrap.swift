// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Glibc only: elsewhere the trap stays without the text.
#if DEBUG && canImport(Glibc) && compiler(>=6.3)
  internal import Glibc

  /// Says, in a debug build on Linux, which operator has called a closure of an actor elsewhere, before the process stops.
  ///
  /// The compiler's check in such a closure asks the runtime, which asks the actor's executor. The main actor's executor
  /// leaves it to `dispatch_assert_queue`, which stops the process without a text. The compiler has passed the file and the
  /// line of the closure, but for a report that comes after a plain "no".
  ///
  /// The runtime can be hooked where it asks for that plain "no". Where it is certain, the hook prints what is known here,
  /// and answers; the runtime then reports the line, and stops the process. In any other case the answer is the runtime's
  /// own, and everything continues as without the hook. Other checks of isolation in a closure of a pipeline, such as
  /// `assumeIsolated`, go the same way; what has no pipeline on the stack is left alone.
  internal enum IsolationTrap {
    /// What the runtime passes: an executor in two words, of which the second is zero for an actor's own.
    private typealias Ask = @convention(c) (_ identity: UInt, _ implementation: UInt) -> Int8
    private typealias Hook = @convention(c) (_ identity: UInt, _ implementation: UInt, _ ask: Ask) -> Int8

    /// The runtime's answers: 1 is yes, 0 is no, and this is neither.
    private static let undecided: Int8 = -1

    /// Installs the hook, unless the process has one already: a debugger or a tool knows better.
    internal static let isInstalled: Bool = {
      guard let place = cSymbol("swift_task_isIsolatingCurrentContext_hook") else { return false }
      let hook = place.assumingMemoryBound(to: Hook?.self)
      guard hook.pointee == nil else { return false }
      MainQueue.mark()
      hook.pointee = { identity, implementation, ask in
        let answer = ask(identity, implementation)
        guard answer == undecided, let owner = owner(of: identity, implementation),
          owner != .mainActor || !MainQueue.isCurrent, let stack = CallStack(),
          owner != .mainActor || stack.isInOneQueueAtMost,
          let message = IsolationMessage(stack, owner: owner.description, hop: owner.hop)
        else { return answer }
        message.text.withCString { _ = write(STDERR_FILENO, $0, strlen($0)) }
        return 0
      }
      return true
    }()

    private enum Owner: Equatable {
      case mainActor
      case actor(String)

      var description: String {
        switch self {
        case .mainActor: "the main actor"
        case .actor(let type): "an actor of type \(type)"
        }
      }

      /// What moves the rest of a pipeline there.
      var hop: String {
        switch self {
        case .mainActor: "receive(on: DispatchQueue.main)"
        case .actor: "receive(on:) of PenstockConcurrency, with the actor"
        }
      }
    }

    /// The actor that an executor belongs to, if it is one that decides nothing on its own.
    private static func owner(of identity: UInt, _ implementation: UInt) -> Owner? {
      let main = unsafeBitCast(MainActor.sharedUnownedExecutor, to: (identity: UInt, implementation: UInt).self)
      if identity == main.identity { return MainQueue.isMainExecutor ? .mainActor : nil }
      guard implementation == 0, let object = UnsafeRawPointer(bitPattern: identity) else { return nil }
      return .actor("\(type(of: Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()))")
    }
  }

  /// What `dispatch_assert_queue` asks of the main queue, without stopping the process, and without linking libdispatch.
  private enum MainQueue {
    private typealias Get = @convention(c) (_ key: UnsafeRawPointer?) -> UnsafeMutableRawPointer?
    private typealias Mark =
      @convention(c) (
        _ queue: UnsafeMutableRawPointer?, _ key: UnsafeRawPointer?, _ value: UnsafeMutableRawPointer?,
        _ free: UnsafeRawPointer?
      ) -> Void

    /// An address of our own is a key that nobody else has.
    nonisolated(unsafe) private static let key = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
    private static let get = cFunction("dispatch_get_specific", as: Get.self)

    /// Makes the main queue one that its work can recognise, and that of the queues which it is the target of.
    static func mark() {
      cFunction("dispatch_queue_set_specific", as: Mark.self)?(cSymbol("_dispatch_main_q"), key, key, nil)
    }

    /// Whether the main actor's executor is the one that uses the main queue: a program may bring its own.
    static let isMainExecutor: Bool = {
      guard get != nil, threadNumber != nil, cSymbol("_dispatch_main_q") != nil else { return false }
      return MainActor.sharedUnownedExecutor.asSerialExecutor().map { "\(type(of: $0))" } == "DispatchMainExecutor"
    }()

    /// Whether the calling thread is the main one, or performs work of the main queue directly.
    static var isCurrent: Bool { threadNumber?() == getpid() || get?(key) != nil }
  }
#endif
