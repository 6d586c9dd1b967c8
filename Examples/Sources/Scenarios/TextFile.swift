// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation

/// Something with lines: it is open when it is made, may be slow, may fail, and has to be closed.
public protocol LineSource: AnyObject, Sendable {
  /// The next line, or `nil` at the end.
  func nextLine() throws -> String?

  /// Any thread may call it, and also while another one waits for a line.
  func close()
}

/// A text file that is read line by line.
public final class TextFile: LineSource, @unchecked Sendable {
  private let lock = NSLock()
  /// `nil` when it has been closed.
  private var handle: Handle?

  /// Closes the file when it is released: a line that is being read keeps it open.
  private final class Handle {
    let file: UnsafeMutablePointer<FILE>
    init(_ file: UnsafeMutablePointer<FILE>) { self.file = file }
    deinit { fclose(file) }
  }

  public init(path: String) throws {
    guard let file = fopen(path, "r") else { throw CocoaError(.fileReadNoSuchFile) }
    handle = Handle(file)
  }

  public func nextLine() throws -> String? {
    guard let handle = lock.withLock({ handle }) else { return nil }
    var (bytes, capacity) = (UnsafeMutablePointer<CChar>?.none, 0)
    defer { free(bytes) }
    var count = getline(&bytes, &capacity, handle.file)
    guard count >= 0, let bytes else {
      if ferror(handle.file) != 0 { throw CocoaError(.fileReadUnknown) }
      return nil
    }
    if bytes[count - 1] == CChar(UInt8(ascii: "\n")) { count -= 1 }
    let line = UnsafeRawBufferPointer(start: bytes, count: count)
    guard let text = String(validating: line, as: UTF8.self) else {
      throw CocoaError(.fileReadInapplicableStringEncoding)
    }
    return text
  }

  public func close() {
    // Returned, so that the file isn't closed under the lock.
    _ = lock.withLock { exchangeHandle() }
  }

  private func exchangeHandle() -> Handle? {
    defer { handle = nil }
    return handle
  }
}
