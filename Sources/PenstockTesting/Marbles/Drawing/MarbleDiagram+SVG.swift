// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension MarbleDiagram {
  /// Returns a picture of the diagram in SVG.
  ///
  /// ```swift
  /// let diagram = try MarbleDiagram(
  ///   """
  ///   source    1-2-3-4-|
  ///   > filter { $0.isMultiple(of: 2) }
  ///   expected  --2---4-|
  ///   """)
  /// let svg = diagram.svg(title: "filter republishes the values that satisfy a predicate.")
  /// print(svg.prefix(4))
  /// // Prints "<svg".
  /// ```
  ///
  /// The same diagram always gives the same text. The picture is up to 700 points wide and as high as it needs to be:
  /// steps that do not fit beside the others continue below them. Values and names that are too long are shown without
  /// their middle.
  ///
  /// - Parameters:
  ///   - title: A description of the picture, for readers who cannot see it.
  ///   - appearance: The colors; by default they follow the reader's system.
  public func svg(title: String = "", appearance: MarbleAppearance = .automatic) -> String {
    MarblePicture(self).svg(title: title.isEmpty ? label : title, appearance: appearance)
  }
}

/// The colors of a picture.
public enum MarbleAppearance: String, Hashable, Sendable, CaseIterable {
  /// Dark lines, for a light background.
  case light
  /// Light lines, for a dark background.
  case dark
  /// One of them, as the system of the reader prefers.
  case automatic
}
