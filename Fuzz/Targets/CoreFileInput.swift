// SPDX-License-Identifier: Apache-2.0
import CLinux
import CoreCollector
import CoreFile
import CrashRecord
import Glibc

/// A core file, the event that is made of it, and the record that is made of it as it comes.
enum CoreFileInput {
    static func run(_ bytes: [UInt8]) {
        let input = InputFile(bytes)
        if let core = try? CoreFile(path: input.path) { EventChecks.check(core.event()) }
        collect(input.path)
    }

    private static func collect(_ path: String) {
        let core = open(path, O_RDONLY | O_CLOEXEC)
        let record = vaka_memory_file()
        precondition(core >= 0 && record >= 0, "no file for the input")
        defer {
            close(core)
            close(record)
        }
        guard (try? CoreRecord.make(core: core, spool: vaka_memory_file(), record: record)) != nil else { return }
        lseek(record, 0, SEEK_SET)
        guard let bytes = try? BoundedFile.read(descriptor: record, limit: CrashRecordFile.maximumBytes),
            let file = try? CrashRecordFile(bytes: bytes)
        else { preconditionFailure("a record that cannot be read") }
        precondition(file.isComplete && file.damage.isEmpty, "a record that is damaged")
        EventChecks.check(file.event())
    }
}
