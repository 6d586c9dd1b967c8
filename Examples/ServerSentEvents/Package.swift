// swift-tools-version: 6.2

import PackageDescription

/// The code that every service here uses to send events, and that its tests use to read them.
let package = Package(
  name: "server-sent-events",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "ServerSentEvents", targets: ["ServerSentEvents"]),
    .library(name: "PipelineRoutes", targets: ["PipelineRoutes"]),
    .library(name: "LoopbackClient", targets: ["LoopbackClient"]),
  ],
  dependencies: [
    .package(name: "penstock", path: "../.."),
    .package(url: "https://github.com/apple/swift-nio", from: "2.90.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.9.0"),
  ],
  targets: [
    .target(
      name: "ServerSentEvents",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    // The window into a service's pipelines.
    .target(
      name: "PipelineRoutes",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "PenstockInspector", package: "penstock"),
      ]),
    // A client that reads a response while it arrives.
    .target(
      name: "LoopbackClient",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .testTarget(
      name: "ServerSentEventsTests",
      dependencies: [
        "ServerSentEvents",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
      ]),
  ]
)

for target in package.targets {
  target.swiftSettings = [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]
}
