// SPDX-License-Identifier: Apache-2.0
import EventStore
import VakaModel

/// Addresses of an event's lines at the host of its code.
struct SourceLinks {
    static let path = "{path}"
    static let line = "{line}"
    static let commit = "{commit}"
    /// By which an event says itself what it was built from.
    static let commitTag = "commit"

    private let link: SourceLink
    private let revision: String?

    /// Nil where the project has no host, or where the address needs a commit that nobody told.
    init?(_ event: Event, _ service: Service, project: Int64) throws {
        guard let link = try service.store.sourceLink(project: project) else { return nil }
        let told = try event.release.flatMap { try service.store.commit(project: project, release: $0) }
        self.init(link, revision: told ?? event.tags[Self.commitTag] ?? event.release.flatMap(Self.commit(ofRelease:)))
    }

    init?(_ link: SourceLink, revision: String?) {
        guard revision != nil || !link.template.contains(Self.commit) else { return nil }
        self.link = link
        self.revision = revision
    }

    /// Nil for frames of other code, and for those without a line.
    func address(of frame: Frame) -> String? {
        guard frame.inApp == true, let file = frame.file, let line = frame.line, let path = hosted(file) else {
            return nil
        }
        let parts = path.split(separator: "/").map { FormCoding.encode(String($0)) }.joined(separator: "/")
        return link.template.replacing(Self.commit, with: FormCoding.encode(revision ?? ""))
            .replacing(Self.line, with: String(line)).replacing(Self.path, with: parts)
    }

    /// Below the prefix; without one, only files that are named from the root of the code.
    private func hosted(_ file: String) -> String? {
        guard let prefix = link.prefix else { return file.hasPrefix("/") ? nil : file }
        guard file.hasPrefix(prefix) else { return nil }
        let rest = file.dropFirst(prefix.count).drop { $0 == "/" }
        return rest.isEmpty || rest.split(separator: "/").contains("..") ? nil : String(rest)
    }

    /// The build metadata of a release's name, where that is a commit: `app@1.2.3+0123abc`.
    static func commit(ofRelease release: String) -> String? {
        guard let plus = release.lastIndex(of: "+") else { return nil }
        let metadata = release[release.index(after: plus)...]
        let isHash = (7...64).contains(metadata.utf8.count) && metadata.allSatisfy { $0.isHexDigit && $0.isASCII }
        return isHash ? String(metadata) : nil
    }
}
