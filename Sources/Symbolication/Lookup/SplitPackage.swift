// SPDX-License-Identifier: Apache-2.0
package import DebugImages

/// A `.dwp` package, and how much it has of what was split off a program's debug information.
package struct SplitPackage: Sendable {
    package let path: String
    package let size: UInt64
    /// Units of the program that it completes, of those that were split off.
    package let completedUnits: Int
    package let splitUnits: Int

    /// Throws for a file that has nothing of the program's, with what to do.
    package init(path: String, of program: String) throws(DebugImageError) {
        let package = try DebugSections(path: path)
        let information = try DebugInformation(DebugSections(path: program), package: package)
        self.path = path
        size = package.identity.fileSize
        (completedUnits, splitUnits) = information.splitUnits
        guard completedUnits > 0 else {
            throw DebugImageError(
                .unsupported, path: path,
                splitUnits == 0
                    ? "is for a program whose debug information was split off; the image under this build id has its own"
                    : "has none of the \(splitUnits) units that were split off the image; make it from the same build: "
                        + "dwp -e PROGRAM -o PROGRAM.dwp")
        }
    }

    package func isBetter(than other: SplitPackage) -> Bool { completedUnits > other.completedUnits }
}
