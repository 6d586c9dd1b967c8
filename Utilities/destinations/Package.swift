// swift-tools-version: 6.2

import PackageDescription

/// A client of the product `Combine`, for `Utilities/destinations/check`.
let package = Package(
  name: "penstock-destinations",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "penstock", path: "../..")],
  targets: [
    .executableTarget(
      name: "client", dependencies: [.product(name: "Combine", package: "penstock")],
      swiftSettings: Context.environment["PENSTOCK_SIMULATED_DESTINATION"] == "apple"
        && Context.environment["PENSTOCK_EXPECTS_FRAMEWORK"] != nil ? [.define("EXPECTS_FRAMEWORK")] : []
    )
  ],
  swiftLanguageModes: [.v6]
)
