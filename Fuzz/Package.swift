// swift-tools-version: 6.2

import PackageDescription

/// Random pipelines, run on several threads and checked against the rules of every stream.
///
/// It is a package of its own, so that it sees what a user sees: public declarations, inlined into another module.
let package = Package(
  name: "penstock-fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "penstock", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(name: "ThreadNumber"),
    // A symbolic link to the folder that the tests use.
    .target(name: "FuzzSanitizerSupport", path: "Sources/SanitizerSupport"),
    .executableTarget(
      name: "fuzz",
      // Including the modules that `Penstock` re-exports: the build system considers only direct dependencies when it
      // decides what is out of date, and code inlined from an older library would crash.
      dependencies: [
        "ThreadNumber", "FuzzSanitizerSupport", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
        + [
          "Penstock", "PenstockCore", "PenstockDispatch", "PenstockFoundation", "PenstockOperators",
          "PenstockOperatorsFoundation", "PenstockTesting",
        ].map { .product(name: $0, package: "penstock") }
    ),
  ],
  swiftLanguageModes: [.v6]
)
