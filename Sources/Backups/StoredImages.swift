// SPDX-License-Identifier: Apache-2.0
import DebugImages
import EventStore
import SourceBundles
import VakaModel

/// Which uploaded files a folder has.
struct StoredImages {
    let folder: String

    func has(_ file: DatabaseCheck.StoredFile) -> Bool {
        let images = ImageStore(folder: folder)
        return switch file.kind {
        case .package: images.package(file.buildID) != nil
        case .sources: SourceBundleStore(folder: folder).path(file.buildID) != nil
        default: images.executable(file.buildID) != nil || images.debugInfo(file.buildID) != nil
        }
    }
}
