// swift-tools-version: 6.2

import PackageDescription

/// What every target is compiled with, so that no file is built under other rules than its neighbour.
var settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The libraries are checked as completely as in Swift 6, but compiled in Swift 5 mode: a client's isolated closure that is
/// called from elsewhere traps only if the module that calls it is not in Swift 6 mode. (The compiler takes it that a
/// Swift 6 module has proved what it calls, and leaves the check out; a library with Combine's signatures has not.)
///
/// CI builds them in Swift 6 mode as well, so that nothing creeps in which only Swift 5 mode lets pass.
let librarySettings: [SwiftSetting] =
  Context.environment["PENSTOCK_SWIFT_6"] != nil
  ? [.swiftLanguageMode(.v6)]
  : [.swiftLanguageMode(.v5)]
    // What Swift 6 mode would turn on.
    + [
      "BareSlashRegexLiterals", "ConciseMagicFile", "DeprecateApplicationMain", "DisableOutwardActorInference",
      "DynamicActorIsolation", "ForwardTrailingClosures", "GlobalActorIsolatedTypesUsability", "GlobalConcurrency",
      "ImplicitOpenExistentials", "ImportObjcForwardDeclarations", "InferSendableFromCaptures", "IsolatedDefaultValues",
      "NonfrozenEnumExhaustivity", "RegionBasedIsolation", "StrictConcurrency",
    ].map { .enableUpcomingFeature($0) }

// CI sets this. A user who builds Penstock with a newer compiler must not be stopped by a new warning.
if Context.environment["PENSTOCK_WARNINGS_AS_ERRORS"] != nil {
  settings.append(.treatAllWarnings(as: .error))
}

// CI sets this in its release step: the library is optimised, its tests are not.
let hasPlainTests = Context.environment["PENSTOCK_PLAIN_TESTS"] != nil

// Tests/ExplorerTests runs the library under chosen interleavings. For that its atomics and locks are others than in any
// other build, so the tests exist only in this one.
let isExplored = Context.environment["PENSTOCK_EXPLORER"] != nil
if isExplored { settings.append(.define("PENSTOCK_EXPLORER")) }

// CI sets this in its debug and sanitizer runs: the library then checks its own invariants, such as that one thread at a
// time uses a variable that has an owner instead of a lock. The explorer watches these variables itself.
if Context.environment["PENSTOCK_CHECKS"] != nil, !isExplored { settings.append(.define("PENSTOCK_CHECKS")) }

// On Apple's systems `import Combine` has to mean the system's framework, or a package shared between an app and a
// server would see two of everything. A target named Combine would hide the framework, so the product is built from
// another.
//
// A manifest is run by the host, and is not told for which system a build is. So the host decides, unless the
// environment says otherwise: `PENSTOCK_OWN_COMBINE`, which is `0` for the framework, and `TARGET_OS_ANDROID`, which
// the tools set that build for Android. A wrong guess does not compile: see Sources/CombineSystem and Sources/Combine.
// Utilities/destinations tries them all, and says by `PENSTOCK_SIMULATED_HOST` that the host is another.
#if canImport(Darwin)
  let hostHasCombine = Context.environment["PENSTOCK_SIMULATED_HOST"] ?? "apple" == "apple"
#else
  let hostHasCombine = Context.environment["PENSTOCK_SIMULATED_HOST"] ?? "other" == "apple"
#endif
let toldOwnCombine = Context.environment["PENSTOCK_OWN_COMBINE"].map { $0 != "0" }
let isForAndroid = Context.environment["TARGET_OS_ANDROID"] ?? "0" != "0"
let ownCombine = toldOwnCombine ?? (isForAndroid || !hostHasCombine)

// Every system but WebAssembly, where `Penstock` is the core alone.
let withDispatch = TargetDependencyCondition.when(
  platforms: [
    .macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS, .driverKit, .linux, .android, .windows, .openbsd,
    .custom("freebsd"),
  ])

// Set where the whole package is built for a system without dynamic linking: WebAssembly, or Linux with Musl. A client that
// does not use the product PenstockDynamic need not set it.
let isWithoutDynamic = Context.environment["PENSTOCK_WITHOUT_DYNAMIC"] != nil

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
    .library(name: "PenstockConcurrency", targets: ["PenstockConcurrency"]),
    .library(name: "PenstockKit", targets: ["PenstockKit"]),
    .library(name: "PenstockInspector", targets: ["PenstockInspector"]),
    .library(name: "PenstockMetrics", targets: ["PenstockMetrics"]),
    .library(name: "PenstockTracing", targets: ["PenstockTracing"]),
    .library(name: "PenstockNATS", targets: ["PenstockNATS"]),
    .library(name: "PenstockRedis", targets: ["PenstockRedis"]),
    .library(name: "PenstockTesting", targets: ["PenstockTesting"]),
    .library(name: "PenstockTestingDispatch", targets: ["PenstockTestingDispatch"]),
    .library(name: "PenstockDeliveryTesting", targets: ["PenstockDeliveryTesting"]),
    .library(name: "CombineTesting", targets: ["CombineTesting"]),
    .library(name: "CombineTestingDispatch", targets: ["CombineTestingDispatch"]),
    .library(name: "Combine", targets: [ownCombine ? "Combine" : "CombineSystem"]),
    // All modules as one dynamic library, for a program of which more than one dynamic library uses Penstock: each of them
    // would have a copy of the other products, and a copy of the protocols.
    .library(
      name: "PenstockDynamic", type: .dynamic,
      targets: [
        "Penstock", "PenstockOperatorsFoundation", "PenstockConcurrency", "PenstockKit", "PenstockTesting",
        "PenstockTestingDispatch", "PenstockDeliveryTesting", ownCombine ? "Combine" : "CombineSystem",
      ]),
    .executable(name: "marbles", targets: ["marbles"]),
  ],
  // All are off by default, and a package that only a disabled trait uses is neither fetched nor resolved. A product whose
  // trait is off is an empty module, and nothing of a C library is compiled or linked.
  traits: [
    .trait(name: "Metrics", description: "PenstockMetrics: metrics of a stream, on swift-metrics."),
    .trait(name: "Tracing", description: "PenstockTracing: a span per subscription, on swift-distributed-tracing."),
    .trait(name: "NATS", description: "PenstockNATS: NATS and its JetStream, on the system's libnats."),
    .trait(name: "Redis", description: "PenstockRedis: the streams of Redis, on the system's hiredis."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
  ],
  targets: [
    .target(
      name: "PenstockCore",
      dependencies: [.product(name: "DequeModule", package: "swift-collections")]
    ),
    .target(name: "PenstockDispatch", dependencies: ["PenstockCore"]),
    .target(
      name: "PenstockFoundation",
      dependencies: [
        "PenstockCore", "PenstockDispatch", .product(name: "DequeModule", package: "swift-collections"),
      ]
    ),
    .target(
      name: "Penstock",
      dependencies: [
        "PenstockCore", .target(name: "PenstockDispatch", condition: withDispatch),
        .target(name: "PenstockFoundation", condition: withDispatch),
      ]
    ),
    .target(
      name: "PenstockOperators",
      dependencies: ["PenstockCore", .product(name: "DequeModule", package: "swift-collections")]
    ),
    .target(name: "PenstockOperatorsFoundation", dependencies: ["PenstockOperators", "Penstock"]),
    .target(
      name: "PenstockConcurrency",
      dependencies: ["PenstockOperators"]
        + ["DequeModule", "HeapModule"].map { .product(name: $0, package: "swift-collections") }
    ),
    ownCombine ? .target(name: "Combine", dependencies: ["Penstock"]) : .target(name: "CombineSystem"),
    .target(
      name: "PenstockKit", dependencies: ["PenstockCore", .product(name: "DequeModule", package: "swift-collections")]),
    .target(name: "PenstockInspector", dependencies: ["PenstockConcurrency", "PenstockCore"]),
    .target(
      name: "PenstockMetrics",
      dependencies: [
        "PenstockConcurrency",
        .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
      ]
    ),
    .target(
      name: "PenstockTracing",
      dependencies: [
        "PenstockConcurrency",
        .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
      ]
    ),
    // Without pkg-config, which would warn every user that a library is missing: a module map says what to link, and only
    // where the module is imported.
    .systemLibrary(name: "CNATS"),
    .systemLibrary(name: "CHiredis"),
    .target(
      name: "PenstockNATS",
      dependencies: [
        "PenstockConcurrency", "PenstockOperators", .target(name: "CNATS", condition: .when(traits: ["NATS"])),
        .product(name: "DequeModule", package: "swift-collections"),
      ]
    ),
    .target(
      name: "PenstockRedis",
      dependencies: [
        "PenstockConcurrency", "PenstockOperators", .target(name: "CHiredis", condition: .when(traits: ["Redis"])),
      ]
    ),
    .target(
      name: "PenstockTesting",
      dependencies: ["PenstockCore"]
        + ["DequeModule", "HeapModule"].map { .product(name: $0, package: "swift-collections") }
    ),
    .target(
      name: "PenstockTestingDispatch", dependencies: ["PenstockDispatch", "PenstockOperators", "PenstockTesting"]
    ),
    .target(name: "PenstockDeliveryTesting", dependencies: ["PenstockConcurrency", "PenstockTesting"]),
    // Draws a user's diagrams: `swift run marbles FILE`.
    .executableTarget(name: "marbles", dependencies: ["PenstockTesting"], path: "Utilities/marbles"),
    // PenstockTesting and the schedulers of tests once more, their folders through links, over what `import Combine`
    // means.
    .target(
      name: "CombineTesting",
      dependencies: [ownCombine ? "Combine" : "CombineSystem"]
        + ["DequeModule", "HeapModule"].map { .product(name: $0, package: "swift-collections") }
    ),
    .target(
      name: "CombineTestingDispatch", dependencies: [ownCombine ? "Combine" : "CombineSystem", "CombineTesting"]
    ),
    .target(name: "SanitizerSupport", path: "Tests/SanitizerSupport"),
    .target(
      name: "TestSupport", dependencies: ["PenstockCore", "PenstockTesting", "SanitizerSupport"], path: "Tests/Support"
    ),
    .testTarget(name: "PenstockCoreTests", dependencies: ["PenstockCore", "PenstockTesting", "TestSupport"]),
    .testTarget(name: "PenstockDispatchTests", dependencies: ["PenstockDispatch", "TestSupport"]),
    .testTarget(
      name: "PenstockTestingTests",
      dependencies: ["PenstockConcurrency", "PenstockOperators", "PenstockTesting", "TestSupport"]
    ),
    .testTarget(name: "PenstockTestingDispatchTests", dependencies: ["PenstockTestingDispatch", "TestSupport"]),
    .testTarget(
      name: "VerificationTests",
      dependencies: [
        "PenstockConcurrency", "PenstockDispatch", "PenstockOperatorsFoundation", "PenstockTesting", "TestSupport",
      ]
    ),
    .testTarget(
      name: "PenstockInspectorTests",
      dependencies: [
        "Penstock", "PenstockConcurrency", "PenstockInspector", "PenstockOperators", "PenstockTesting", "TestSupport",
      ]
    ),
    .testTarget(
      name: "PenstockMetricsTests",
      dependencies: [
        "PenstockConcurrency", "PenstockMetrics", "PenstockOperators", "PenstockTesting", "TestSupport",
        .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
      ]
    ),
    .testTarget(
      name: "PenstockTracingTests",
      dependencies: [
        "PenstockConcurrency", "PenstockOperators", "PenstockTesting", "PenstockTracing", "TestSupport",
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
      ]
    ),
    .target(
      name: "DeliveryFaults",
      dependencies: ["PenstockConcurrency", "PenstockDeliveryTesting", "PenstockTesting", "TestSupport"],
      path: "Tests/DeliveryFaults"
    ),
    .testTarget(
      name: "DeliveryTests",
      dependencies: ["DeliveryFaults", "PenstockConcurrency", "PenstockDeliveryTesting", "TestSupport"]
    ),
    .testTarget(
      name: "PenstockNATSTests",
      dependencies: [
        "DeliveryFaults", "PenstockConcurrency", "PenstockDeliveryTesting", "PenstockInspector", "PenstockNATS",
        "PenstockOperators", "PenstockTesting", "TestSupport",
      ]
    ),
    .testTarget(
      name: "PenstockRedisTests",
      dependencies: [
        "DeliveryFaults", "PenstockConcurrency", "PenstockDeliveryTesting", "PenstockOperators", "PenstockRedis",
        "PenstockTesting", "TestSupport",
      ]
    ),
    .testTarget(name: "PenstockFoundationTests", dependencies: ["PenstockFoundation", "TestSupport"]),
    .testTarget(
      name: "PenstockOperatorsTests",
      dependencies: ["PenstockOperators", "PenstockDispatch", "PenstockTesting", "TestSupport"]
    ),
    // With the lines of PenstockOperatorsTests, their folder through a link.
    .testTarget(
      name: "OperatorVerificationTests",
      dependencies: ["PenstockOperators", "PenstockDispatch", "PenstockInspector", "PenstockTesting", "TestSupport"]
    ),
    .testTarget(
      name: "PenstockKitTests", dependencies: ["PenstockDispatch", "PenstockKit", "PenstockTesting", "TestSupport"]),
    .testTarget(
      name: "PenstockOperatorsFoundationTests",
      dependencies: ["PenstockOperatorsFoundation", "PenstockTesting", "TestSupport"]
    ),
    .testTarget(
      name: "PenstockConcurrencyTests",
      dependencies: ["PenstockConcurrency", "PenstockDispatch", "PenstockTesting", "TestSupport"]
    ),
    .executableTarget(
      name: "MainLoopClient", dependencies: ["PenstockOperatorsFoundation", "SanitizerSupport"],
      path: "Tests/MainLoopClient"
    ),
    .testTarget(
      name: "SendableClientTests",
      dependencies: [
        "Penstock", "PenstockConcurrency", "PenstockInspector", "PenstockKit", "PenstockOperatorsFoundation",
        "PenstockTesting", "MainLoopClient",
      ]
    ),
    .testTarget(
      name: "MainActorClientTests",
      dependencies: ["Penstock", "PenstockConcurrency", "PenstockInspector", "PenstockOperators", "PenstockTesting"]
    ),
    .testTarget(name: "NonsendingClientTests", dependencies: ["Penstock", "PenstockConcurrency"]),
    .target(name: "Backfill", dependencies: [ownCombine ? "Combine" : "CombineSystem"], path: "Tests/Backfill"),
    .testTarget(name: "CombineClientTests", dependencies: [ownCombine ? "Combine" : "CombineSystem", "Backfill"]),
    // The pictures in the documentation: one line for each operator, what draws them, and what compares them.
    .target(
      name: "MarbleRoster",
      dependencies: ["PenstockConcurrency", "PenstockFoundation", "PenstockOperators", "PenstockTesting"],
      path: "Tests/MarbleRoster"
    ),
    .executableTarget(name: "DrawMarbles", dependencies: ["MarbleRoster"], path: "Tests/DrawMarbles"),
    .testTarget(name: "MarbleTests", dependencies: ["MarbleRoster"]),
    .testTarget(name: "ConventionTests"),
  ]
)

/// The test targets that `swift test` leaves out, so that it takes minutes, and the step of `.ci/run` that runs each.
///
/// ConventionTests reads this list, and fails where no step runs a target.
let stepsOfTests = [
  // In copies of the process, thousands of them.
  "VerificationTests": "rosters", "OperatorVerificationTests": "rosters",
  // Compares the documentation with what would be drawn today.
  "MarbleTests": "rosters",
  // In a process of their own: what they look at are all streams of the process.
  "PenstockInspectorTests": "inspector",
  // With deadlines that pass in real time.
  "DeliveryTests": "traits",
  // Without their traits there is nothing in them.
  "PenstockMetricsTests": "traits", "PenstockTracingTests": "traits", "PenstockNATSTests": "brokers",
  "PenstockRedisTests": "brokers",
  // With other atomics and locks than any other build: see above.
  "ExplorerTests": "explore",
]

// Every test target of a package is built before one of its tests can run. `PENSTOCK_TESTS=A,B` makes these the only ones;
// with `PENSTOCK_TESTS=all` they are all that can share a process.
switch Context.environment["PENSTOCK_TESTS"] {
case nil: package.targets.removeAll { stepsOfTests[$0.name] != nil }
case "all": package.targets.removeAll { !["rosters", nil].contains(stepsOfTests[$0.name]) }
case .some(let list):
  let names = list.split(separator: ",").map(String.init)
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

// What only tests use that are left out.
for (users, used) in [
  (["MarbleTests"], ["MarbleRoster", "DrawMarbles"]),
  (["DeliveryTests", "PenstockNATSTests", "PenstockRedisTests"], ["DeliveryFaults"]),
] where !package.targets.contains(where: { users.contains($0.name) }) {
  package.targets.removeAll { used.contains($0.name) }
}

// Utilities/docs/snippets writes the snippets of what is behind traits there, to build them and to run them.
if Context.environment["PENSTOCK_TRAIT_SNIPPETS"] != nil {
  package.targets.append(
    .executableTarget(
      name: "Snippets",
      dependencies: [
        "Penstock", "PenstockDeliveryTesting", "PenstockMetrics", "PenstockNATS", "PenstockOperatorsFoundation",
        "PenstockRedis", "PenstockTestingDispatch", "PenstockTracing",
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
        .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
        .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
        .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
      ],
      path: ".build-traits/snippets"))
}

if isExplored {
  // The locks of CombineTesting, which are the core's in another module, cannot be explored.
  package.targets.removeAll { $0.type == .test || $0.type == .executable || $0.name.hasPrefix("CombineTesting") }
  package.products.removeAll { $0.name == "marbles" || $0.name.hasPrefix("CombineTesting") }
  package.targets.append(
    .testTarget(
      name: "ExplorerTests",
      dependencies: ["PenstockConcurrency", "PenstockKit", "PenstockTesting", "TestSupport"],
      // For the copy of the package that Utilities/explore makes.
      exclude: ["Faults"]
    ))
}

/// Clients with the settings that Swift 6.2 brought, and that new projects of Xcode have.
let clientSettings: [String: [SwiftSetting]] = [
  "MainActorClientTests": [
    .defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
  ],
  "NonsendingClientTests": [.enableUpcomingFeature("NonisolatedNonsendingByDefault")],
]

if isWithoutDynamic { package.products.removeAll { $0.name == "PenstockDynamic" } }

for target in package.targets where target.type != .system {
  let isLibrary = target.type == .regular && target.path == nil
  target.swiftSettings = settings + (isLibrary ? librarySettings : [.swiftLanguageMode(.v6)])
  target.swiftSettings? += clientSettings[target.name] ?? []
  if target.name.hasPrefix("CombineTesting") { target.swiftSettings?.append(.define("PENSTOCK_KIT_OVER_COMBINE")) }
  if target.name == "Combine", toldOwnCombine == true { target.swiftSettings?.append(.define("PENSTOCK_OWN_COMBINE")) }
  if Context.environment["PENSTOCK_SIMULATED_DESTINATION"] == "apple",
    ["Combine", "CombineSystem"].contains(target.name)
  {
    target.swiftSettings?.append(.define("PENSTOCK_SIMULATED_APPLE"))
  }
  // Snippets need not use what they make, and a build of their own would take longer.
  if target.name == "Snippets" { target.swiftSettings?.append(.treatAllWarnings(as: .warning)) }
  if hasPlainTests, !isLibrary { target.swiftSettings?.append(.unsafeFlags(["-Onone"])) }
}
