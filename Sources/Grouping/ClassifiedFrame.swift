// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// A frame with its normal name and class.
struct ClassifiedFrame {
    var frame: Frame
    /// Nil where the frame has no function's name.
    var name: String?
    var rule: String
    var frameClass: FrameClass
    /// The image is a system library by its name or folder: known before any symbol is.
    var imageIsSystem: Bool

    init(_ frame: Frame, image: DebugImage?) {
        self.frame = frame
        let answer = FrameClassifier.answer(
            FrameClassifier.Subject(
                function: frame.function, symbol: frame.symbol, module: frame.module ?? image?.name,
                path: image?.codeFile))
        name = answer.name
        imageIsSystem = answer.imageIsSystem
        if let rule = answer.rule {
            self.rule = rule.name
            frameClass = rule.frameClass
        } else if frame.inApp == false {
            self.rule = "marked as not in the app"
            frameClass = .system
        } else if frame.status == .noModule || (frame.module == nil && frame.buildID == nil) {
            self.rule = "in no module"
            frameClass = .system
        } else {
            self.rule = "app"
            frameClass = .app
        }
    }

    /// What stands for the frame in a key: its name, else where it lies in its image; nil when neither is known.
    var material: String? { name ?? address }

    /// Build id (else module) and relative address: the same across address space randomisation, before and after symbols.
    var address: String? {
        guard let offset = frame.relativeAddress, let image = frame.buildID?.description ?? frame.module else {
            return nil
        }
        return "\(image)+\(offset)"
    }
}
