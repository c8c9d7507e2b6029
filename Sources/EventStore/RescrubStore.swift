// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

/// Where texts of programs are stored.
package enum StoredTextPlace: Int, CaseIterable, Sendable {
    case documents, reports, attachments, otherItems, eventTitles, issueTitles, issueCulprits
    case exchangeURLs, exchangePaths, exchangeErrors, exchangeMetadata, exchangeRequestHeaders, exchangeResponseHeaders
    case exchangeRequestBodies, exchangeResponseBodies, exchangeHosts, exchangeSites, exchangeRoutes, exchangeMethods
    case exchangeContentTypes, exchangeProtocols, exchangeRequests, exchangeConnections
    case recordings
}

/// What stands in one of them.
package struct StoredText: Sendable {
    package var row: Int64
    package var data: Data
}

/// Reading and replacing texts that are stored already, a few at a time.
package protocol RescrubStore: Sendable {
    /// In the order of their rows. What is sealed by a key that is not there comes as it is.
    func storedTexts(
        _ place: StoredTextPlace, project: Int64, after row: Int64, limit: Int
    ) throws(StoreError) -> [StoredText]
    /// Replaces those that are still as they were read; the number of them.
    func replace(
        _ texts: [(old: StoredText, new: Data)], in place: StoredTextPlace
    ) throws(StoreError) -> Int
}
