// SPDX-License-Identifier: Apache-2.0
package import Alerts
package import BlobStore
package import Debuginfod

/// What the command line says.
package struct ServiceOptions: Sendable {
    package var dataFolder = ""
    /// Where PostgreSQL is, as libpq takes it; nil: rows are kept in the data folder.
    package var store: String?
    package var listen = "127.0.0.1:8300"
    /// How people reach the service, where that differs from where it listens.
    package var publicURL: String?
    /// Nil for plain HTTP.
    package var tls: TLSFiles?
    /// A file with the key by which captured memory is sealed where it is kept.
    package var keyFile: String?
    /// Also look for images among this machine's own files.
    package var useSystem = true
    package var workers = 1
    package var logFormat = Log.Format.text
    /// Other debuginfod servers that are asked for images which events wait for; nobody else is.
    package var upstream: [DebuginfodServer] = []
    /// Where uploaded images are, where that is not the data folder.
    package var blobs: BlobAddress?
    /// Who takes mails; nil: none is sent.
    package var mail: MailServer?
    /// Where alerts may go.
    package var alertGuard = AddressGuard()
    package var limits = ServiceLimits()

    package init() {}

    /// The command line of a worker under the same bounds.
    var workerArguments: [String] {
        [
            "worker", "--data", dataFolder, "--max-upload", "\(limits.uploadBytes)", "--worker-seconds",
            "\(Int(limits.workerSeconds))", "--worker-memory", "\(limits.workerBytes >> 20)",
        ] + (useSystem ? [] : ["--no-system"])
    }
}
