// SPDX-License-Identifier: Apache-2.0
import Backups
import EventStore
import Glibc

/// `vaka-server admin …`: work on a data folder by its owner.
struct BackupCommand {
    private enum Work: String, CaseIterable {
        case backup, restore, verify
    }

    private let work: Work
    private let options: [String: String]

    /// Nil where another part of admin, or help, is asked for.
    init?(_ arguments: ArraySlice<String>) throws(UsageError) {
        guard let work = arguments.first.flatMap({ Work(rawValue: $0) }) else { return nil }
        self.work = work
        var options: [String: String] = [:]
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            if argument == "--help" || argument == "-h" { return nil }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard ["--data", "--store", "--to", "--from", "--backup"].contains(parts[0]) else {
                throw UsageError(message: "unknown argument \"\(argument)\" of admin \(work.rawValue)")
            }
            guard let value = parts.count > 1 ? parts[1] : rest.popFirst(), !value.isEmpty else {
                throw UsageError(message: "\(parts[0]) needs a value")
            }
            options[parts[0]] = value
        }
        self.options = options
        try checkOptions()
    }

    func run() throws -> Int32 {
        let line = ProgressLine()
        defer { line.clear() }
        switch work {
        case .backup:
            let manifest = try Backup.make(
                of: options["--data"] ?? "", rows: options["--store"], at: options["--to"] ?? "", progress: line.show)
            line.clear()
            print("backed up \(manifest.files.count) files, \(Self.text(manifest.counts)), as of \(manifest.madeAt)")
            if manifest.leavesImages { print(Self.imagesStay) }
        case .restore:
            let manifest = try Restore.make(
                from: options["--from"] ?? "", at: options["--data"] ?? "", progress: line.show)
            line.clear()
            print("restored \(Self.text(manifest.counts)), as of \(manifest.madeAt)")
            if manifest.leavesImages { print(Self.imagesStay) }
        case .verify:
            return try verify(line)
        }
        return 0
    }

    private func verify(_ line: ProgressLine) throws -> Int32 {
        let found =
            try options["--backup"].map { try Verification(backup: $0, progress: line.show) }
            ?? Verification(data: options["--data"] ?? "", rows: options["--store"], progress: line.show)
        line.clear()
        for fault in found.faults { print(fault) }
        guard found.faults.isEmpty else { return 1 }
        print(
            "right: \(Self.text(found.counts)), \(found.images) uploaded files"
                + (found.store.map { " in \($0)" } ?? ""))
        return 0
    }

    private func checkOptions() throws(UsageError) {
        if let store = options["--store"] { _ = try CommandLineReader.postgres(store) }
        let needed: [String] =
            switch work {
            case .backup: options["--store"] == nil ? ["--data", "--to"] : []
            case .restore: ["--data", "--from"]
            case .verify: [options["--backup"] == nil ? "--data" : "--backup"]
            }
        for name in needed where options[name] == nil {
            throw UsageError(message: "admin \(work.rawValue) needs \(name) FOLDER")
        }
        var allowed = needed
        if work == .backup { allowed = ["--data", "--to", "--store"] }
        if work == .verify, options["--backup"] == nil { allowed.append("--store") }
        if let other = options.keys.sorted().first(where: { !allowed.contains($0) }) {
            throw UsageError(message: "admin \(work.rawValue) does not take \(other)")
        }
    }

    private static let imagesStay =
        "uploaded images are not in it: they stay in the store that blobs.json names; back that up by its own means"

    private static func text(_ counts: DatabaseCheck.Counts) -> String {
        "\(counts.events) events of \(counts.issues) issues in \(counts.projects) projects"
            + (counts.waiting == 0 ? "" : ", \(counts.waiting) items to be worked on")
    }

    static let usage = """

        Usage: vaka admin backup  --data DIR --to FOLDER
               vaka admin restore --from FOLDER --data DIR
               vaka admin verify  --data DIR [--store URI] | --backup FOLDER

          backup   copies all that a service keeps into FOLDER, new or empty, while the service runs: the database as it is
                   at one moment, every uploaded file, the credentials. backup.json, written last, says what there is
          restore  makes a data folder, new or empty, of a backup; each file is checked on the way
          verify   reads the database from end to end and looks for every uploaded file; of a backup, checks each file's
                   SHA-256, too. Says what is wrong, and what to do, a line each

        Images in a store of their own (vaka serve --blobs) are not in a backup: they stay there, and verify asks the store for
        each; AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set.

        Rows in PostgreSQL (vaka serve --store) are copied by its own tools: backup says by which, and what to keep with them.
        verify reads them and looks for every uploaded file; the database's pages are pg_amcheck's to check.

        A backup has the admin token in plain text (credentials.json) and every captured memory: keep it as you keep the data.
        Exit status: 0 done and right, 1 it failed or something is wrong, 2 wrong usage.

        """
}
