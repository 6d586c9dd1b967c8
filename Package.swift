// swift-tools-version: 6.3

import PackageDescription

/// One list for every target, so that no file is built under other rules than its neighbour.
var settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatWarning("ExplicitSendable", as: .error),
]

// CI sets this. A user who builds Penstock with a newer compiler must not be stopped by a new warning.
if Context.environment["PENSTOCK_WARNINGS_AS_ERRORS"] != nil {
  settings.append(.treatAllWarnings(as: .error))
}

// On an Apple host `import Combine` has to mean the system's framework, or a package shared between an app and a server
// would see two of everything. A target named Combine would hide the framework, so the product is built from another.
#if canImport(Darwin)
  let ownCombine = Context.environment["PENSTOCK_OWN_COMBINE"] != nil
#else
  let ownCombine = true
#endif

// Utilities/linkage/check builds the core as a dynamic library, to read from it what it is linked with.
let dynamicCore = Context.environment["PENSTOCK_DYNAMIC_CORE"] != nil

let package = Package(
  name: "penstock",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "PenstockCore", type: dynamicCore ? .dynamic : nil, targets: ["PenstockCore"]),
    .library(name: "PenstockDispatch", targets: ["PenstockDispatch"]),
    .library(name: "PenstockFoundation", targets: ["PenstockFoundation"]),
    .library(name: "Penstock", targets: ["Penstock"]),
    .library(name: "PenstockOperators", targets: ["PenstockOperators"]),
    .library(name: "PenstockOperatorsFoundation", targets: ["PenstockOperatorsFoundation"]),
    .library(name: "PenstockTesting", targets: ["PenstockTesting"]),
    .library(name: "Combine", targets: [ownCombine ? "Combine" : "CombineSystem"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0")
  ],
  targets: [
    .target(
      name: "PenstockCore",
      dependencies: ["DequeModule", "HeapModule"].map { .product(name: $0, package: "swift-collections") }
    ),
    .target(name: "PenstockDispatch", dependencies: ["PenstockCore"]),
    .target(
      name: "PenstockFoundation",
      dependencies: [
        "PenstockCore", "PenstockDispatch", .product(name: "DequeModule", package: "swift-collections"),
      ]
    ),
    .target(name: "Penstock", dependencies: ["PenstockCore", "PenstockDispatch", "PenstockFoundation"]),
    .target(
      name: "PenstockOperators",
      dependencies: ["PenstockCore", .product(name: "DequeModule", package: "swift-collections")]
    ),
    .target(name: "PenstockOperatorsFoundation", dependencies: ["PenstockOperators", "Penstock"]),
    ownCombine ? .target(name: "Combine", dependencies: ["Penstock"]) : .target(name: "CombineSystem"),
    .target(
      name: "PenstockTesting",
      dependencies: ["PenstockCore", .product(name: "HeapModule", package: "swift-collections")]
    ),
    .target(name: "SanitizerSupport", path: "Tests/SanitizerSupport"),
    .target(name: "TestSupport", dependencies: ["PenstockCore", "SanitizerSupport"], path: "Tests/Support"),
    .testTarget(name: "PenstockCoreTests", dependencies: ["PenstockCore", "PenstockTesting", "TestSupport"]),
    .testTarget(name: "PenstockDispatchTests", dependencies: ["PenstockDispatch", "TestSupport"]),
    .testTarget(name: "PenstockTestingTests", dependencies: ["PenstockTesting", "TestSupport"]),
    .testTarget(name: "PenstockFoundationTests", dependencies: ["PenstockFoundation", "TestSupport"]),
    .testTarget(
      name: "PenstockOperatorsTests",
      dependencies: ["PenstockOperators", "PenstockDispatch", "PenstockTesting", "TestSupport"]
    ),
    .testTarget(
      name: "PenstockOperatorsFoundationTests",
      dependencies: ["PenstockOperatorsFoundation", "PenstockTesting", "TestSupport"]
    ),
    .testTarget(name: "SendableClientTests", dependencies: ["Penstock"]),
    .testTarget(name: "CombineClientTests", dependencies: [ownCombine ? "Combine" : "CombineSystem"]),
    .testTarget(name: "ConventionTests"),
  ]
)

for target in package.targets {
  target.swiftSettings = (target.swiftSettings ?? []) + settings
}
