// SPDX-License-Identifier: Apache-2.0
import Delivery
import FoundationEssentials

/// What was collected and is in no batch yet: in memory, and in files that outlive the process.
struct Intake {
    /// What is taken out of it at once.
    struct Load {
        var items: [PendingItem] = []
        /// They hold all of the items.
        var files: [SpoolFile] = []
        /// What the host told and is not kept.
        var losses = Losses()

        /// Takes recordings out.
        mutating func takeRecordings() -> [PendingItem] {
            let recordings = items.filter { $0.kind == .recording }
            items.removeAll { $0.kind == .recording }
            return recordings
        }
    }

    private var load = Load()
    /// The last of the files, which grows.
    private var file: SpoolFile?
    private let makeFile: () -> SpoolFile?
    /// Nothing is taken in any more.
    var hasEnded = false

    init(makeFile: @escaping () -> SpoolFile?) {
        self.makeFile = makeFile
    }

    var count: Int { load.items.count }

    /// `line` is the item, written.
    mutating func add(_ item: PendingItem, _ line: Data?) {
        load.items.append(item)
        guard let line else { return }
        if file == nil, let new = makeFile() {
            file = new
            load.files.append(new)
        }
        _ = file?.append(line)
    }

    /// False where nothing is counted any more.
    mutating func note(_ losses: Losses) -> Bool {
        guard !hasEnded else { return false }
        load.losses.merge(losses)
        return true
    }

    mutating func take() -> Load {
        defer {
            load = Load()
            file = nil
        }
        return load
    }

    /// Puts back what could not be made a batch; what is too much for memory is returned, the oldest.
    mutating func putBack(_ load: Load, limit: Int) -> [PendingItem] {
        let all = load.items + self.load.items
        self.load.files = load.files + self.load.files
        self.load.losses.merge(load.losses)
        self.load.items = all.suffix(limit)
        return all.dropLast(self.load.items.count)
    }

    /// Forgets items.
    mutating func remove(where isRemoved: (PendingItem) -> Bool) {
        load.items.removeAll(where: isRemoved)
        for file in load.files { file.remove() }
        load.files = []
        file = nil
        // What stays gets a file anew.
        let kept = load.items
        load.items = []
        for item in kept { add(item, item.line) }
    }
}
