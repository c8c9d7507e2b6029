// SPDX-License-Identifier: Apache-2.0
import CVakaHost
import FoundationEssentials
import VakaModel

/// The ELF objects of this process.
enum LoadedImages {
    static func all() -> [DebugImage] {
        var images: [DebugImage] = []
        withUnsafeMutablePointer(to: &images) { images in
            vaka_host_each_image(
                { image, context in
                    guard let image, let images = context?.assumingMemoryBound(to: [DebugImage].self) else { return 1 }
                    images.pointee.append(LoadedImages.image(image.pointee))
                    return 0
                }, images)
        }
        return images
    }

    private static func image(_ image: vaka_host_image) -> DebugImage {
        let path = String(cString: image.path)
        let buildID = withUnsafeBytes(of: image.build_id) { BuildID(bytes: $0.prefix(image.build_id_bytes)) }
        return DebugImage(
            buildID: buildID, codeFile: path.isEmpty ? program : path, imageAddress: HexAddress(image.image_address),
            imageSize: image.image_bytes, loadBias: HexAddress(image.load_bias))
    }

    private static let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
}
