// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Android)
  private import Android
#elseif canImport(Darwin)
  private import Darwin
#endif

/// The thread sanitizer, where the process runs under it: it is looked up at run time, because a kit that is built
/// without it could not know.
enum ThreadSanitizer {
  private static let turns = Locked(NoState())

  /// Runs a closure while no other one runs this way: the sanitizer writes for the whole process.
  static func turn<Result>(_ body: () -> Result) -> Result { turns.with { _ in body() } }

  #if canImport(Glibc) || canImport(Musl) || canImport(Android) || canImport(Darwin)
    static let isPresent = symbol("__tsan_init") != nil

    /// Runs a closure, and returns what the sanitizer writes meanwhile; `nil` if that cannot be read.
    ///
    /// The reports are also written to the standard error stream, after the closure, and the process will end with the
    /// sanitizer's exit status: that cannot be taken back, and should not.
    static func reports(during body: () throws -> Void) rethrows -> String? {
      guard let set = symbol("__sanitizer_set_report_fd"), let file = tmpfile() else {
        try body()
        return nil
      }
      let setFile = unsafeBitCast(set, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void).self)
      defer { fclose(file) }
      setFile(UnsafeMutableRawPointer(bitPattern: Int(fileno(file))))
      defer { setFile(UnsafeMutableRawPointer(bitPattern: 2)) }
      try body()
      rewind(file)
      var bytes: [UInt8] = []
      while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
      let text = String(decoding: bytes, as: UTF8.self)
      if !text.isEmpty { writeError(text) }
      return text
    }

    private static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
      #if canImport(Darwin)
        dlsym(UnsafeMutableRawPointer(bitPattern: -2), name)
      #else
        dlsym(nil, name)
      #endif
    }
  #else
    // Any other system: it has no thread sanitizer.
    static let isPresent = false

    /// Runs a closure; nobody looks on.
    static func reports(during body: () throws -> Void) rethrows -> String? {
      try body()
      return nil
    }
  #endif
}
