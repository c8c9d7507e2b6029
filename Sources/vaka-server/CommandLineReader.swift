// SPDX-License-Identifier: Apache-2.0
import Alerts
import BlobStore
import Debuginfod
import FoundationEssentials
import IngestService

/// Reads the command line.
enum CommandLineReader {
    enum Command {
        case help
        case backup(BackupCommand)
        case serve(ServiceOptions)
        case worker(ServiceOptions)
        case admin(AdminCommand)
        case adminHelp
        case migrate(MigrateCommand)
        case migrateHelp
    }

    static func read(_ arguments: [String]) throws(UsageError) -> Command {
        if arguments.first == "admin" {
            let rest = arguments.dropFirst()
            if let backup = try BackupCommand(rest) { return .backup(backup) }
            return rest.isEmpty || rest.contains("--help") || rest.contains("-h")
                ? .adminHelp : .admin(try AdminCommand(rest))
        }
        if arguments.first == "migrate" {
            let rest = arguments.dropFirst()
            return rest.isEmpty || rest.contains("--help") || rest.contains("-h")
                ? .migrateHelp : .migrate(try MigrateCommand(rest))
        }
        var rest = arguments[...]
        let isWorker = rest.first == "worker"
        if isWorker { rest = rest.dropFirst() }
        var options = ServiceOptions()
        var (certificate, key): (String?, String?)
        var mail = MailOptions()
        var blobs = BlobOptions()
        while let argument = rest.popFirst() {
            if argument == "--help" || argument == "-h" { return .help }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            if name == "--no-system" {
                options.useSystem = false
                continue
            }
            guard known.contains(name) else {
                throw UsageError(message: "unknown argument \"\(argument)\"")
            }
            guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
                throw UsageError(message: "\(name) needs a value")
            }
            switch name {
            case "--tls-cert": certificate = value
            case "--tls-key": key = value
            case "--key-file": options.keyFile = value
            case "--smtp": mail.server = value
            case "--mail-from": mail.from = value
            case "--smtp-ca": mail.authorities = value
            case "--blobs": blobs.address = value
            case "--s3-endpoint": blobs.endpoint = value
            case "--s3-region": blobs.region = value
            default: try set(name, value, &options)
            }
        }
        if options.store == nil, !isWorker, let address = ProcessInfo.processInfo.environment["VAKA_STORE"] {
            options.store = try postgres(address)
        }
        options.tls = try tls(certificate, key)
        options.mail = try mail.checked()
        options.blobs = try blobs.checked()
        guard !options.dataFolder.isEmpty else {
            throw UsageError(message: "--data DIR is needed: the folder where everything is kept")
        }
        return isWorker ? .worker(options) : .serve(options)
    }

    private static func tls(_ certificate: String?, _ key: String?) throws(UsageError) -> TLSFiles? {
        switch (certificate, key) {
        case (let certificate?, let key?): TLSFiles(certificate: certificate, key: key)
        case (nil, nil): nil
        default: throw UsageError(message: "--tls-cert and --tls-key go together: the certificate's file and its key's")
        }
    }

    /// The address of a database; only of PostgreSQL.
    static func postgres(_ address: String) throws(UsageError) -> String {
        guard address.hasPrefix("postgres://") || address.hasPrefix("postgresql://") else {
            throw UsageError(
                message:
                    "--store takes postgres://[USER@]HOST[:PORT]/DATABASE, not \"\(address.prefix(40))\"; without it rows "
                    + "are kept in the data folder")
        }
        return address
    }

    private static let known: Set<String> = [
        "--data", "--store", "--listen", "--public-url", "--workers", "--max-body", "--max-upload", "--max-spool",
        "--report-days",
        "--worker-seconds", "--worker-memory", "--debuginfod", "--max-debuginfod",
        "--tls-cert", "--tls-key", "--key-file", "--max-connections",
        "--smtp", "--mail-from", "--smtp-ca", "--alert-network",
        "--project-rate", "--key-rate", "--issue-rate", "--keep-days", "--keep-events", "--keep-issue-events",
        "--blobs", "--s3-endpoint", "--s3-region", "--blob-cache", "--blob-wait", "--repeat-days", "--disk-budget",
        "--log-format",
    ]

    private static func set(_ name: String, _ value: String, _ options: inout ServiceOptions) throws(UsageError) {
        switch name {
        case "--data": options.dataFolder = value
        case "--store": options.store = try postgres(value)
        case "--listen": options.listen = value
        case "--public-url":
            guard value.hasPrefix("http://") || value.hasPrefix("https://") else {
                throw UsageError(message: "--public-url takes http://… or https://…, not \"\(value)\"")
            }
            options.publicURL = value.hasSuffix("/") ? String(value.dropLast()) : value
        case "--debuginfod":
            do {
                options.upstream.append(try DebuginfodServer(url: value))
            } catch {
                throw UsageError(message: "--debuginfod: \(error.message)")
            }
        case "--alert-network":
            guard let network = NetworkRange(value) else {
                throw UsageError(message: "--alert-network takes a network such as 10.1.0.0/16, not \"\(value)\"")
            }
            options.alertGuard.allowed.append(network)
        case "--max-debuginfod": options.limits.fetchedBytes = UInt64(try number(name, value, 0...(1 << 50)))
        case "--blob-cache": options.limits.blobCacheBytes = UInt64(try number(name, value, 0...(1 << 50)))
        case "--blob-wait": options.limits.blobPatience = try number(name, value, 0...86_400)
        case "--max-connections": options.limits.connections = try number(name, value, 16...1_000_000)
        case "--project-rate": options.limits.rates.projectItems = try number(name, value, 0...100_000_000)
        case "--key-rate": options.limits.rates.keyItems = try number(name, value, 0...100_000_000)
        case "--issue-rate": options.limits.rates.issueEvents = try number(name, value, 0...100_000_000)
        case "--keep-days", "--keep-events", "--keep-issue-events", "--repeat-days":
            try setRetention(name, value, &options.limits)
        case "--disk-budget":
            let bytes = try number(name, value, 0...(1 << 60))
            options.limits.diskBytes = bytes == 0 ? nil : UInt64(bytes)
        case "--log-format":
            guard let format = Log.Format(rawValue: value) else {
                throw UsageError(message: "--log-format takes text or json, not \"\(value)\"")
            }
            options.logFormat = format
        case "--workers": options.workers = try number(name, value, 1...64)
        case "--max-body":
            options.limits.batchBytes = try number(name, value, 1024...(1 << 30))
            options.limits.decompressedBytes = max(options.limits.decompressedBytes, options.limits.batchBytes)
        case "--max-upload": options.limits.uploadBytes = Int64(try number(name, value, 1024...(1 << 40)))
        case "--max-spool": options.limits.spoolBytes = try number(name, value, 1...(1 << 44))
        case "--worker-memory": options.limits.workerBytes = UInt64(try number(name, value, 64...(1 << 20))) << 20
        case "--worker-seconds": options.limits.workerSeconds = Double(try number(name, value, 1...3600))
        default: options.limits.reportDays = try number(name, value, 1...3650)
        }
    }

    private static func setRetention(
        _ name: String, _ value: String, _ limits: inout ServiceLimits
    ) throws(UsageError) {
        switch name {
        case "--keep-days": limits.retention.days = try number(name, value, 0...36_500)
        case "--keep-events": limits.retention.events = try number(name, value, 0...Int(Int32.max))
        case "--keep-issue-events": limits.retention.issueEvents = try number(name, value, 0...Int(Int32.max))
        default: limits.repeatDays = try number(name, value, 1...3650)
        }
    }

    private static func number(_ name: String, _ value: String, _ range: ClosedRange<Int>) throws(UsageError) -> Int {
        guard let number = Int(value), range.contains(number) else {
            throw UsageError(
                message: "\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not \"\(value)\"")
        }
        return number
    }
}
