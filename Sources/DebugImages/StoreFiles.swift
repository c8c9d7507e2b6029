// SPDX-License-Identifier: Apache-2.0
import Glibc

/// File operations of the store, durable and with errors that say what to do.
package struct StoreFiles {
    let root: String

    package init(root: String) {
        self.root = root
    }

    package func failure(_ action: String, _ path: String) -> DebugImageError {
        DebugImageError(
            .storage, path: path,
            "cannot \(action): \(String(cString: strerror(errno))); check rights and free space of \(root)")
    }

    package func makeFolder(_ path: String) throws(DebugImageError) {
        if mkdir(path, 0o755) == 0 {
            sync(folder: parent(of: path))
        } else if errno == ENOENT, parent(of: path) != path {
            try makeFolder(parent(of: path))
            try makeFolder(path)
        } else if errno != EEXIST {
            throw failure("make the folder", path)
        }
    }

    /// Brings `source` to `target`, a new name, and syncs its contents: by rename where that is asked for and
    /// possible, else by copy.
    package func bring(_ source: String, to target: String, move: Bool) throws(DebugImageError) {
        if !move || rename(source, target) != 0 {
            try copy(source, to: target)
            if move { unlink(source) }
        }
        let descriptor = open(target, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", target) }
        defer { close(descriptor) }
        fchmod(descriptor, 0o644)
        guard fsync(descriptor) == 0 else { throw failure("sync", target) }
    }

    package func sync(folder path: String) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Holds an exclusive lock on a folder while `body` runs, against other processes and threads.
    package func locked<Value>(
        _ folder: String, _ body: () throws(DebugImageError) -> Value
    ) throws(DebugImageError) -> Value {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open the folder", folder) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure("lock", folder) }
        }
        return try body()
    }

    package static func entries(_ folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private func copy(_ source: String, to target: String) throws(DebugImageError) {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw failure("open", source) }
        defer { close(input) }
        let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard output >= 0 else { throw failure("create", target) }
        defer { close(output) }
        do {
            try pump(input, output, target)
        } catch {
            unlink(target)
            throw error
        }
    }

    private func pump(_ input: Int32, _ output: Int32, _ target: String) throws(DebugImageError) {
        let size = 1 << 20
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = read(input, buffer, size)
            if count == 0 { return }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw failure("read for", target) }
            var done = 0
            while done < count {
                let written = write(output, buffer + done, count - done)
                if written < 0 && errno == EINTR { continue }
                guard written > 0 else { throw failure("write", target) }
                done += written
            }
        }
    }
}
