// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
    name: "shop",
    products: [.executable(name: "shop", targets: ["Shop"])],
    dependencies: [.package(name: "vaka", path: "../..")],
    targets: [
        .executableTarget(
            name: "Shop", dependencies: [.product(name: "Vaka", package: "vaka")],
            linkerSettings: [.unsafeFlags(["-Xlinker", "--build-id=sha1"])])
    ]
)
