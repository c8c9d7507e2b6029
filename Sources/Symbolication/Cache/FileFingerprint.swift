// SPDX-License-Identifier: Apache-2.0
import DebugImages
import Glibc

/// Tells files apart that may carry the same build id: a stripped one from its debug companion, a copy that was changed.
struct FileFingerprint {
    /// The build id, and a hash of size, time of change and sections.
    let name: String

    init(_ file: DebugSections) {
        let prefix = file.identity.buildID?.description ?? "no-build-id"
        var hash = Hasher()
        hash.add(file.identity.fileSize)
        var status = stat()
        if stat(file.path, &status) == 0 {
            hash.add(UInt64(bitPattern: Int64(status.st_mtim.tv_sec)))
            hash.add(UInt64(bitPattern: Int64(status.st_mtim.tv_nsec)))
            if file.identity.buildID == nil {
                hash.add(UInt64(status.st_dev))
                hash.add(UInt64(status.st_ino))
            }
        }
        for section in file.sections {
            for byte in section.name.utf8 { hash.add(byte) }
            for value in [UInt64(section.type), section.flags, section.address, section.offset, section.size] {
                hash.add(value)
            }
        }
        let digits = String(hash.value, radix: 16)
        name = prefix + "-" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// FNV-1a: the same in every run.
    private struct Hasher {
        var value: UInt64 = 0xcbf2_9ce4_8422_2325

        mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

        mutating func add(_ number: UInt64) {
            for shift in stride(from: 0 as UInt64, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
        }
    }
}
