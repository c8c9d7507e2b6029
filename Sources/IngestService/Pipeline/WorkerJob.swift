// SPDX-License-Identifier: Apache-2.0
import VakaModel

/// What the server asks of its worker process; the event's or nothing's bytes follow it.
struct WorkerJob {
    enum Kind: String {
        /// Symbolicate and group the event that follows.
        case event
        /// Group the event that follows as it is: after symbolication has failed twice.
        case group
        /// Answer, to show that the worker lives.
        case ping
        /// Identify the file at `path` and move it into the image store.
        case image
        /// Tell the build id that the image, or the source bundle, at `path` is of.
        case identify, identifyBundle
        /// Check the `.dwp` package at `path`, of the image of `buildID`, and move it beside that.
        case package
        /// Check the source bundle at `path` and move it beside the images.
        case bundle
        /// Attach source lines to the symbolicated event that follows.
        case sources
        /// Answer with the source file `path` of the bundle of `buildID`.
        case sourceFile
        /// Answer with what the machine was at, for the `thread` of the event that follows.
        case machine
        /// Answer with a core file of the event that follows.
        case core
        /// Answer where the section named by `path` lies in the files of `buildID`.
        case section
    }

    var kind: Kind
    var path: String?
    var buildID: BuildID?
    /// Changes when images were added: what is cached about missing ones is then forgotten.
    var imageRevision: Int64 = 0
    /// Changes when files of images came or went.
    var imageGeneration = 0
    /// The file at `path` was fetched from another server as the image of this build id, and goes to such images.
    var fetchedBuildID: BuildID?
    /// Nil for the one that the event is about.
    var thread: Int?
    /// The answer is for somebody who may not see captured memory.
    var hidesMemory = false
    var loss: [Loss] = []

    enum CodingKeys: String, JSONKey {
        static let names = JSONNames(Self.self)
        case kind, path, buildID, imageRevision, imageGeneration, fetchedBuildID, thread, hidesMemory, loss
    }
}

extension WorkerJob.Kind: JSONReadable, JSONWritable {}

extension WorkerJob: JSONReadable, JSONWritable {
    init(from json: inout JSONReader) throws {
        var kind: Kind?
        self.init(kind: .ping)
        try json.openObject()
        while let key = try json.next(CodingKeys.self) {
            switch key {
            case .kind: kind = try json.value()
            case .path: path = try json.optional()
            case .buildID: buildID = try json.optional()
            case .imageRevision: imageRevision = try json.value()
            case .imageGeneration: imageGeneration = try json.value()
            case .fetchedBuildID: fetchedBuildID = try json.optional()
            case .thread: thread = try json.optional()
            case .hidesMemory: hidesMemory = try json.value()
            case .loss: loss = try json.value()
            }
        }
        self.kind = try json.require(kind, CodingKeys.kind)
    }

    func write(to json: inout JSONBytes) throws {
        try json.object { json in
            try json.memberIfKnown(CodingKeys.buildID, buildID)
            try json.memberIfKnown(CodingKeys.fetchedBuildID, fetchedBuildID)
            try json.member(CodingKeys.hidesMemory, hidesMemory)
            try json.member(CodingKeys.imageGeneration, imageGeneration)
            try json.member(CodingKeys.imageRevision, imageRevision)
            try json.member(CodingKeys.kind, kind)
            try json.member(CodingKeys.loss, loss)
            try json.memberIfKnown(CodingKeys.path, path)
            try json.memberIfKnown(CodingKeys.thread, thread)
        }
    }
}
