// SPDX-License-Identifier: Apache-2.0
import EventStore
import Glibc
import VakaModel

/// Makes the first project and its credentials; later, keeps the address in the credentials' file right.
struct FirstStart {
    let store: any EventStore
    let folder: DataFolder
    let url: String
    let log: Log

    func run() throws {
        guard try store.projects().isEmpty else {
            guard var file = CredentialsFile.read(folder.credentials), file.url != url else { return }
            file.url = url
            try file.write(folder.credentials)
            return
        }
        let file = CredentialsFile(
            url: url, project: "default", ingestKey: Secrets.makeKey(), adminToken: Secrets.makeToken())
        // The file first: credentials that only the database knows would lock the owner out.
        try file.write(folder.credentials)
        do throws(StoreError) {
            let project = try store.createProject(
                slug: file.project,
                credentials: [
                    Secrets.credential(.ingest, file.ingestKey),
                    Secrets.credential(.admin, file.adminToken, name: "first", scopes: [.server]),
                ])
            let token = try store.credentials(project: project.id, kind: .admin).first
            guard log.format == .text, let token else { return tell(file, link: nil) }
            tell(file, link: try LoginHandlers.link(for: token.id, store, url: url, next: "/start"))
        } catch {
            guard error.code == .exists else { throw error }
            // Another server on the same database was first: it has the credentials.
            unlink(folder.credentials)
            return log.info("first_start_elsewhere", "another server on this database has made its first project")
        }
    }

    /// The secrets themselves for people only: what programs read is kept elsewhere.
    private func tell(_ file: CredentialsFile, link: String?) {
        guard let link else {
            return log.info(
                "first_start", "made the project \(file.project); its credentials are in \(folder.credentials)",
                ["project": .string(file.project), "credentials": .string(folder.credentials)])
        }
        let text = """
            project      \(file.project)
            ingest key   \(file.ingestKey)
            admin token  \(file.adminToken)
            They are shown once, and kept in \(folder.credentials) (mode 0600).
            Link a program, logged in once by this address: \(link)

            """
        let bytes = Array(text.utf8)
        _ = Glibc.write(2, bytes, bytes.count)
    }
}
