// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The words that visitors look for.
enum Vocabulary {
  static let words = [
    "sqlite", "python3", "compress", "database", "emacs", "browser", "fonts", "kernel", "network", "pdf tools",
    "music player", "spell check", "game chess", "image view", "rust http", "perl xml", "ruby json", "node test",
    "haskell parser", "golang cloud", "latex", "backup", "monitor", "terminal",
  ]
}
