// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Glibc only: elsewhere the trap stays without the text.
#if DEBUG && canImport(Glibc) && compiler(>=6.3)
  internal import Glibc

  /// The calls that the calling thread is in, the innermost first.
  internal struct CallStack {
    internal struct Call {
      /// An address in the function.
      let address: UInt
      /// The file that the function is in, and where it is loaded.
      let file: String, base: UInt

      /// Whether the function is in the library of that name.
      func isIn(_ library: String) -> Bool { file.split(separator: "/").last?.hasPrefix(library + ".so") == true }
    }

    internal let calls: [Call]

    /// Reads the calls of the calling thread; `nil` if they cannot all be read.
    internal init?() {
      guard let backtrace = Self.backtrace, let describe = Self.describe else { return nil }
      var addresses = [UInt](repeating: 0, count: 1_024)
      let count = addresses.withUnsafeMutableBytes { Int(backtrace($0.baseAddress, 1_024)) }
      guard count > 0, count < addresses.count else { return nil }
      calls = addresses.prefix(count).map { address in
        // Where the call returns to may be behind the function's end already.
        let inside = address - 1
        var place = Place()
        let isKnown = withUnsafeMutableBytes(of: &place) {
          describe(UnsafeRawPointer(bitPattern: inside), $0.baseAddress)
        }
        guard isKnown != 0, let path = place.path else { return Call(address: inside, file: "", base: 0) }
        return Call(address: inside, file: String(cString: path), base: UInt(bitPattern: place.base))
      }
    }

    /// Whether the work that this thread is performing was submitted to no queue but the one that it is on.
    ///
    /// Work that is submitted with `sync` runs on the caller's thread, which then belongs to both queues. Libdispatch is on
    /// the stack twice then: below the outer work, and between it and the inner.
    internal var isInOneQueueAtMost: Bool {
      guard calls.last?.isIn("libc") == true else { return false }
      var entries = 0
      var wasDispatch = false
      for call in calls {
        let isDispatch = call.isIn("libdispatch")
        if isDispatch, !wasDispatch { entries += 1 }
        wasDispatch = isDispatch
      }
      return entries <= 1
    }

    /// The mangled names of the functions, as far as their files tell.
    internal func names(of calls: some Sequence<Call>) -> [String?] {
      var names: [UInt: String] = [:]
      for (file, calls) in Dictionary(grouping: calls, by: \.file) {
        // A program that was started by a relative path may have changed its folder.
        let table = SymbolTable(path: file) ?? SymbolTable(path: "/proc/self/exe")
        let found = table?.names(at: calls.map(\.address), loadedAt: calls[0].base)
        names.merge(found ?? [:]) { old, _ in old }
      }
      return calls.map { names[$0.address] }
    }

    /// What `dladdr` tells; the C library declares both only for programs in C that ask for them.
    private struct Place {
      var path: UnsafePointer<CChar>?
      var base: UnsafeRawPointer?
      var name: UnsafePointer<CChar>?
      var address: UnsafeRawPointer?
    }

    private static let backtrace = cFunction(
      "backtrace", as: (@convention(c) (UnsafeMutableRawPointer?, CInt) -> CInt).self)
    private static let describe = cFunction(
      "dladdr", as: (@convention(c) (UnsafeRawPointer?, UnsafeMutableRawPointer?) -> CInt).self)
  }

  /// A function or a variable of C that no header declares to Swift.
  internal func cSymbol(_ name: String) -> UnsafeMutableRawPointer? { dlsym(nil, name) }

  internal func cFunction<Function>(_ name: String, as type: Function.Type) -> Function? {
    cSymbol(name).map { unsafeBitCast($0, to: type) }
  }

  /// Returns the calling thread's number, as debuggers show it.
  internal let threadNumber = cFunction("gettid", as: (@convention(c) () -> pid_t).self)
#endif
