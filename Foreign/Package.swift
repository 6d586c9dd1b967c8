// swift-tools-version: 6.2

import PackageDescription

/// Virtual time, marbles, recordings and the verification kit over somebody else's Combine, and *their own tests*: over
/// OpenCombine, or over the system's framework on an Apple host.
///
/// Nothing is copied, and no test is changed: every folder is a link. The targets have the names that the tests import,
/// and that some expected texts contain, so this package cannot depend on Penstock.
let overSystem = Context.environment["PENSTOCK_FOREIGN"] == "Combine"

let combine: [Target.Dependency] =
  overSystem ? [] : [.product(name: "OpenCombine", package: "OpenCombine")]
let combineDispatch: [Target.Dependency] =
  overSystem ? [] : [.product(name: "OpenCombineDispatch", package: "OpenCombine")]
let collections: [Target.Dependency] = ["DequeModule", "HeapModule"].map {
  .product(name: $0, package: "swift-collections")
}

let package = Package(
  name: "penstock-foreign",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
  ],
  targets: [
    .target(name: "PenstockCore", dependencies: combine),
    .target(name: "PenstockDispatch", dependencies: combine + combineDispatch),
    .target(name: "PenstockTesting", dependencies: combine + collections),
    .target(name: "PenstockTestingDispatch", dependencies: ["PenstockTesting"] + combine + combineDispatch),
    // An app's model and its tests, from Examples/AnyCombine.
    .target(name: "Suggestions", dependencies: combine),
    .testTarget(name: "SuggestionsTests", dependencies: ["Suggestions", "PenstockTestingDispatch"]),
    // What fails over OpenCombine, and why: without a line of Penstock's.
    .executableTarget(name: "causes", dependencies: combine),
    .target(name: "SanitizerSupport", path: "Tests/SanitizerSupport"),
    .target(
      name: "TestSupport", dependencies: ["PenstockCore", "PenstockTesting", "SanitizerSupport"], path: "Tests/Support"
    ),
    // Without what is about Penstock's own operators and schedulers.
    .testTarget(
      name: "PenstockTestingTests", dependencies: ["PenstockCore", "PenstockTesting", "TestSupport"],
      exclude: ["WithPenstock"]
    ),
    .testTarget(name: "PenstockTestingDispatchTests", dependencies: ["PenstockTestingDispatch", "TestSupport"]),
    .testTarget(
      name: "VerificationTests", dependencies: ["PenstockCore", "PenstockDispatch", "PenstockTesting", "TestSupport"],
      exclude: ["Roster"]
    ),
  ]
)

if overSystem { package.targets.removeAll { $0.name == "causes" } }

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .define("PENSTOCK_FOREIGN"), .define(overSystem ? "PENSTOCK_KIT_OVER_COMBINE" : "PENSTOCK_KIT_OVER_OPENCOMBINE"),
  ]
  // As in the package's own manifest: the libraries in Swift 5 mode, the tests in Swift 6 mode.
  let isLibrary = target.type != .test && target.path == nil || target.name == "SuggestionsTests"
  target.swiftSettings? += [.swiftLanguageMode(isLibrary ? .v5 : .v6)]
  if isLibrary {
    target.swiftSettings? += ["InferSendableFromCaptures", "StrictConcurrency"].map { .enableUpcomingFeature($0) }
  }
}
