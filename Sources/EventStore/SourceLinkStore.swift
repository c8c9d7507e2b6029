// SPDX-License-Identifier: Apache-2.0

/// Where the code of a project is hosted, and which commit each release was built from.
package protocol SourceLinkStore: Sendable {
    /// Nil where the project has none.
    func sourceLink(project: Int64) throws(StoreError) -> SourceLink?
    /// Nil takes it away.
    func setSourceLink(_ link: SourceLink?, project: Int64) throws(StoreError)
    func commit(project: Int64, release: String) throws(StoreError) -> String?
    func setCommit(_ commit: String, of release: String, project: Int64) throws(StoreError)
}

/// How the address of a line of code is made.
package struct SourceLink: Hashable, Sendable {
    /// An address with `{commit}`, `{path}` and `{line}` in it.
    package var template: String
    /// What files begin with where they were built, and not where they are hosted; nil is nothing.
    package var prefix: String?

    package init(template: String, prefix: String?) {
        self.template = template
        self.prefix = prefix
    }
}
