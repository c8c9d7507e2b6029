// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
    name: "wordcount",
    dependencies: [.package(name: "vaka", path: "../..")],
    targets: [
        .executableTarget(
            name: "wordcount", dependencies: [.product(name: "Vaka", package: "vaka")],
            // Reports and debug images find each other by it.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--build-id"])])
    ]
)
