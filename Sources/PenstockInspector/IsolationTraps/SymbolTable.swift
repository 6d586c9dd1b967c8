// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Glibc only: elsewhere the trap stays without the text.
#if DEBUG && canImport(Glibc) && compiler(>=6.3)
  internal import Glibc

  /// The functions of an executable or a library, by address, as its file on disk lists them.
  ///
  /// The loader knows only the functions that a file exports, and an executable exports none. The table of all of them is in
  /// the file, unless it was stripped. This reads the format ELF for 64-bit machines with the low byte first, and finds
  /// nothing in any other.
  internal struct SymbolTable {
    private let file: UnsafeRawBufferPointer
    private let symbols: Range<Int>
    private let names: Int
    /// Whether the addresses in the file are those in memory, and not relative to where the file is loaded.
    private let isAbsolute: Bool

    internal init?(path: String) {
      guard let file = Self.contents(of: path), file.count > 64 else { return nil }
      let magic: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1]
      guard file.prefix(magic.count).elementsEqual(magic) else { return nil }
      func read<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Int? {
        guard offset >= 0, offset + MemoryLayout<Number>.size <= file.count else { return nil }
        return Int(truncatingIfNeeded: file.loadUnaligned(fromByteOffset: offset, as: type))
      }
      guard let sections = read(UInt64.self, at: 40), let size = read(UInt16.self, at: 58),
        let count = read(UInt16.self, at: 60)
      else { return nil }
      func section(_ index: Int) -> (kind: Int, range: Range<Int>, link: Int)? {
        let header = sections + index * size
        guard let kind = read(UInt32.self, at: header + 4), let start = read(UInt64.self, at: header + 24),
          let length = read(UInt64.self, at: header + 32), let link = read(UInt32.self, at: header + 40),
          start >= 0, length >= 0, start + length <= file.count
        else { return nil }
        return (kind, start..<start + length, link)
      }
      let allSymbols = 2
      guard let found = (0..<count).lazy.compactMap(section).first(where: { $0.kind == allSymbols }),
        let strings = section(found.link)
      else { return nil }
      (self.file, symbols, names) = (file, found.range, strings.range.lowerBound)
      isAbsolute = read(UInt16.self, at: 16) == 2
    }

    /// The mangled names of the functions that addresses are in.
    ///
    /// All at once, because the table is in no order and long.
    internal func names(at addresses: [UInt], loadedAt base: UInt) -> [UInt: String] {
      let wanted = addresses.map { (address: $0, inFile: isAbsolute ? $0 : $0 &- base) }.sorted {
        $0.inFile < $1.inFile
      }
      var found: [UInt: String] = [:]
      let size = 24
      for offset in stride(from: symbols.lowerBound, to: symbols.upperBound - size + 1, by: size) {
        // The low four bits say what it is: 2 is a function.
        guard file[offset + 4] & 0xF == 2 else { continue }
        let start = UInt(file.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
        let length = UInt(file.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
        for place in wanted {
          if place.inFile < start { continue }
          if place.inFile - start >= length { break }
          let name = names + Int(file.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
          guard name < file.count else { break }
          found[place.address] = String(decoding: file[name...].prefix { $0 != 0 }, as: UTF8.self)
        }
      }
      return found
    }

    /// Maps a file into memory, for as long as the process runs: it is about to end.
    private static func contents(of path: String) -> UnsafeRawBufferPointer? {
      let descriptor = open(path, O_RDONLY)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      let length = lseek(descriptor, 0, SEEK_END)
      guard length > 0, let start = mmap(nil, length, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
        return nil
      }
      return UnsafeRawBufferPointer(start: start, count: length)
    }
  }
#endif
