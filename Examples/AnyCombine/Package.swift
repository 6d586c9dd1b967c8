// swift-tools-version: 6.2

import PackageDescription

/// An app's model and its tests, over any Combine: no line of theirs changes.
///
/// They are built with what `import Combine` means, which is the system's framework on Apple's systems and Penstock
/// elsewhere; with `ANY_COMBINE=Penstock` over Penstock by its own name; and in the package Foreign over OpenCombine.
/// Only the two files Imports.swift know which it is.
let overPenstock = Context.environment["ANY_COMBINE"] == "Penstock"

let package = Package(
  name: "penstock-any-combine",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "penstock", path: "../..")],
  targets: [
    .target(
      name: "Suggestions", dependencies: [.product(name: overPenstock ? "Penstock" : "Combine", package: "penstock")]),
    .testTarget(
      name: "SuggestionsTests",
      dependencies: [
        "Suggestions",
        .product(name: overPenstock ? "PenstockTestingDispatch" : "CombineTestingDispatch", package: "penstock"),
      ]),
  ],
  swiftLanguageModes: [.v5]
)

if overPenstock {
  for target in package.targets { target.swiftSettings = [.define("OVER_PENSTOCK")] }
}
