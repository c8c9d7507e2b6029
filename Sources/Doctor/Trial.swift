// SPDX-License-Identifier: Apache-2.0
import CVakaRecord
import CrashRecord
import FoundationEssentials
import Glibc
import Supervision
import VakaModel

/// A child that crashed, and what it left.
struct Trial {
    private static let longestErrors = 64 << 10

    let run: ChildRun
    let records: [CrashRecordFile]
    /// What it wrote to standard error.
    let errors: String

    /// Runs a child in a folder of its own below `folder`, under the library where one is given. Nil where it cannot be
    /// started.
    init?(
        _ child: DoctorChild, _ setup: DoctorSetup, in folder: String, preloads: Bool = true,
        backtracer: Bool? = false
    ) {
        var environment = setup.environment
        if let library = setup.library, preloads {
            environment = CaptureLibrary.preloading(library, storage: folder, in: environment)
        }
        environment[DoctorChild.variable] = child.rawValue
        // Nil: as the environment has it.
        if let backtracer { environment["SWIFT_BACKTRACE"] = backtracer ? "enable=yes" : "enable=no" }
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { return nil }
        let errors = folder + "/errors"
        guard let run = ChildRun(setup.executable, environment: environment, errors: errors) else { return nil }
        self.run = run
        let crashes = folder + "/crashes"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: crashes)) ?? []
        records = names.filter { $0.hasSuffix(".vakacrash") }
            .compactMap { try? CrashRecordFile(contentsOf: "\(crashes)/\($0)") }
        let text = (try? BoundedFile.read(errors, limit: Self.longestErrors)) ?? []
        self.errors = String(decoding: text, as: UTF8.self)
    }

    /// The one record, where there is just one and it is whole.
    var record: CrashRecordFile? { records.count == 1 && records[0].isComplete ? records[0] : nil }

    /// What the first section of a kind that the record has begins with.
    func value<Value: BitwiseCopyable>(_ kind: vaka_section_kind, _ type: Value.Type) -> Value? {
        let section = record?.sections.first { UInt32($0.kind) == kind.rawValue }
        guard let payload = section?.payload, payload.count >= MemoryLayout<Value>.size else { return nil }
        return payload.withUnsafeBytes { $0.loadUnaligned(as: type) }
    }

    /// What the record could not have, as it says.
    var losses: [vaka_loss] {
        let size = MemoryLayout<vaka_loss>.size
        let section = record?.sections.first { UInt32($0.kind) == VAKA_SECTION_LOSS.rawValue }
        guard let payload = section?.payload else { return [] }
        return payload.withUnsafeBytes { bytes in
            stride(from: 0, through: bytes.count - size, by: size).map {
                bytes.loadUnaligned(fromByteOffset: $0, as: vaka_loss.self)
            }
        }
    }

    func loss(_ kind: vaka_loss_kind) -> vaka_loss? { losses.first { $0.kind == kind.rawValue } }
}

extension Int32 {
    /// What the system says of an error's number.
    var errorText: String { String(cString: strerror(self)) }
}
