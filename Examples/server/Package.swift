// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
    name: "server",
    dependencies: [.package(name: "vaka", path: "../..")],
    targets: [
        .executableTarget(
            name: "server", dependencies: [.product(name: "Vaka", package: "vaka")],
            linkerSettings: [.unsafeFlags(["-Xlinker", "--build-id"])])
    ]
)
