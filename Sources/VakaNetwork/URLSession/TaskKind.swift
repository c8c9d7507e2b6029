// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking

/// What a task's bytes are.
enum TaskKind: String {
    case data, upload, download

    /// In the metadata of its record.
    static let name = "task"

    init(_ task: URLSessionTask) {
        switch task {
        case is URLSessionDownloadTask: self = .download
        case is URLSessionUploadTask: self = .upload
        default: self = .data
        }
    }
}
