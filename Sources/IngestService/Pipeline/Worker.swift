// SPDX-License-Identifier: Apache-2.0
import CLinux
import CoreFile
import DebugImages
import FoundationEssentials
import Glibc
import Grouping
import SourceBundles
import Symbolication
import VakaModel

/// The worker process: takes jobs on standard input until it ends, and may die over any of them.
package struct Worker {
    private let images: ImageStore
    private let bundles: SourceBundleStore
    private let caches: SymbolCacheFolder
    /// Images that other servers gave.
    private let fetched: ImageStore
    private let useSystem: Bool
    private let limits: ServiceLimits
    private let malformed: MalformedImages
    private let activity: ImageActivity?

    package init(_ options: ServiceOptions) {
        let (dataFolder, limits) = (options.dataFolder, options.limits)
        malformed = DataFolder.malformed(dataFolder, limits)
        let activity = ImageActivity(descriptor: ChildLauncher.activityDescriptor)
        self.activity = activity
        images = ImageStore(
            folder: DataFolder.images(dataFolder), refusals: malformed.refusals, activity: activity)
        fetched = ImageStore(
            folder: DataFolder.fetchedImages(dataFolder), refusals: malformed.refusals, activity: activity)
        bundles = SourceBundleStore(folder: DataFolder.images(dataFolder))
        caches = SymbolCacheFolder(path: DataFolder.symbolCaches(dataFolder), memoryLimit: limits.workerBytes / 4)
        useSystem = options.useSystem
        self.limits = limits
    }

    /// Returns when the server closes its side.
    package func run() {
        guard let channel = claimStandardStreams() else { return }
        limitMemory()
        var current: (revision: Int64, generation: Int, symbolicator: Symbolicator)?
        // What is known of missing images and bundles is forgotten when some were added.
        func symbolicator(of job: WorkerJob) -> Symbolicator {
            if let current, current.revision == job.imageRevision, current.generation == job.imageGeneration {
                return current.symbolicator
            }
            let made = makeSymbolicator()
            current = (job.imageRevision, job.imageGeneration, made)
            return made
        }
        while let (head, body) = try? channel.receive(deadline: nil) {
            limitProcessorTime()
            var document = Data()
            var reply = WorkerReply()
            do {
                let job = try ModelCoding.read(WorkerJob.self, from: head)
                switch job.kind {
                case .ping: break
                case .image: reply.image = try store(job)
                case .identify, .identifyBundle: reply.identified = try identity(job).description
                case .group: (reply.summary, document) = try finish(try event(job, body)) { $0 }
                case .event:
                    let symbolicator = symbolicator(of: job)
                    (reply.summary, document) = try finish(try event(job, body), after: symbolicator.symbolicate)
                case .package: reply.package = try storePackage(job)
                case .bundle: reply.bundle = try storeBundle(job)
                case .sources:
                    let event = symbolicator(of: job).attachSources(to: try event(job, body).event)
                    reply.waitingForSources = ImagesOfFrames(event).withoutSource
                    document = try ModelCoding.encode(event)
                case .section: reply.section = try section(job)
                case .machine:
                    let reader = MachineReader(finder: makeFinder(), symbolicator: makeSymbolicator())
                    document = try ModelCoding.encode(try reader.state(of: event(job, body).event, job))
                case .core: document = try core(of: event(job, body).event)
                case .sourceFile: document = Data(try sourceFile(job))
                }
            } catch let error as DebugImageError {
                reply.failure = WorkerReply.Failure(code: error.code.rawValue, message: error.message)
            } catch let error as SourceBundleError {
                reply.failure = WorkerReply.Failure(code: error.code.rawValue, message: error.message)
            } catch let error as CoreFileError {
                reply.failure = WorkerReply.Failure(code: error.code.rawValue, message: error.message)
            } catch {
                reply.failure = WorkerReply.Failure(code: "failed", message: "\(error)")
            }
            guard let answer = try? ModelCoding.write(reply),
                (try? channel.send(head: answer, body: document, deadline: nil)) != nil
            else { return }
            // The next event that goes through the same images is answered at once. What ends this process here ends it
            // before the next job, whose server then knows over which image.
            current?.symbolicator.keepCaches()
        }
    }

    private func makeSymbolicator() -> Symbolicator {
        Symbolicator(
            finder: makeFinder(),
            sources: SourceLookup(bundles: SourceBundleFinder(store: bundles)), options: .init(caches: caches))
    }

    private func makeFinder() -> ImageFinder {
        ImageFinder(stores: [images, fetched], useSystem: useSystem, refusals: malformed.refusals, activity: activity)
    }

    private func core(of event: Event) throws -> Data {
        let finder = makeFinder()
        let machine = event.arch.flatMap(ELFIdentifier.machine(named:))
        return try CoreWriter(event: event, recordedPaths: true) { image in
            let path = finder.find(image, machine: machine).codePath
            path.map { activity?.reads($0) }
            return path
        }.data
    }

    /// Of the file at the job's path.
    private func identity(_ job: WorkerJob) throws -> BuildID {
        let path = job.path ?? ""
        guard job.kind == .identify else { return try SourceBundle(path: path).buildID }
        activity?.reads(path)
        defer { activity?.rests() }
        guard let buildID = try ELFIdentifier.identify(path: path).buildID, buildID.bytes.count > 1 else {
            throw DebugImageError(
                .noBuildID, path: path, "has no build id; link it with -Wl,--build-id=sha1 and upload it again")
        }
        return buildID
    }

    private func storePackage(_ job: WorkerJob) throws -> WorkerReply.Package {
        let path = job.path ?? ""
        guard let buildID = job.buildID, let program = images.debugInfo(buildID) else {
            throw DebugImageError(
                .unsupported, path: path, "belongs to an image that is not stored: upload the program first")
        }
        activity?.reads(path)
        defer { activity?.rests() }
        let package = try SplitPackage(path: path, of: program)
        let outcome = try images.add(package: path, of: buildID) { stored in
            activity?.reads(stored)
            return (try? SplitPackage(path: stored, of: program)).map { package.isBetter(than: $0) } ?? true
        }
        return WorkerReply.Package(
            buildID: buildID.description, outcome: WorkerReply.Outcome(outcome), size: package.size,
            completedUnits: package.completedUnits, splitUnits: package.splitUnits)
    }

    private func storeBundle(_ job: WorkerJob) throws -> WorkerReply.Bundle {
        let bundle = try SourceBundle(path: job.path ?? "")
        guard bundle.buildID.bytes.count > 1 else {
            throw SourceBundleError(
                .malformed, path: bundle.path, "has no build id of an image; make it with vaka bundle")
        }
        try bundle.checkContents()
        let size = bundle.size
        let outcome = try bundles.add(bundle)
        let (files, verified) = bundle.richness
        return WorkerReply.Bundle(
            buildID: bundle.buildID.description, outcome: outcome.rawValue, size: size, files: files, verified: verified
        )
    }

    /// In the file with the names, or where that has it without its bytes, in the one with the code.
    private func section(_ job: WorkerJob) throws -> WorkerReply.Section? {
        guard let buildID = job.buildID else { return nil }
        let files = [(images.debugInfo(buildID), false), (images.executable(buildID), true)]
        for case (let path?, let isInExecutable) in files {
            activity?.reads(path)
            defer { activity?.rests() }
            let sections = try ELFFile(path: path).sections
            if let section = sections.first(where: { $0.name == job.path && !$0.isEmpty }) {
                return WorkerReply.Section(
                    isInExecutable: isInExecutable, offset: section.offset, size: section.size)
            }
        }
        return nil
    }

    private func sourceFile(_ job: WorkerJob) throws -> [UInt8] {
        guard let path = job.buildID.flatMap(bundles.path) else { throw Self.noSource }
        let bundle = try SourceBundle(path: path)
        guard let file = job.path.flatMap(bundle.file) else { throw Self.noSource }
        return try bundle.contents(file)
    }

    private static var noSource: SourceBundleError {
        SourceBundleError(.notFound, path: "", "no such source file was uploaded for this build id")
    }

    private func event(_ job: WorkerJob, _ body: Data) throws -> (event: Event, isRepaired: Bool) {
        let repair = try EventRepair(body)
        var event = repair.event
        event.loss += job.loss
        return (event, repair.isRepaired)
    }

    private func finish(
        _ read: (event: Event, isRepaired: Bool), after work: (Event) -> Event
    ) throws -> (WorkerReply.Summary, Data) {
        let event = work(read.event)
        let grouping = Grouping.group(event)
        var summary = WorkerReply.Summary(event, grouping: grouping, isRepaired: read.isRepaired)
        var body = try ModelCoding.write(event.withoutMemory)
        summary.documentSize = body.count
        body.append(try ModelCoding.write(grouping))
        return (summary, body)
    }

    private func store(_ job: WorkerJob) throws -> WorkerReply.Image {
        let path = job.path ?? ""
        activity?.reads(path)
        defer { activity?.rests() }
        let store = job.fetchedBuildID == nil ? images : fetched
        let check = ImageCheck(path: path, surroundings: .store(store))
        if let wanted = job.fetchedBuildID, let found = check.identity, found.buildID != wanted {
            let has = found.buildID.map { "build id \($0)" } ?? "no build id"
            throw DebugImageError(.malformed, path: path, "has \(has), not \(wanted)")
        }
        let outcome = try store.add(check, move: true)
        guard let identity = check.identity else {
            throw DebugImageError(.malformed, path: check.path, "has no identity")
        }
        return WorkerReply.Image(
            buildID: identity.buildID?.description ?? "", outcome: .init(outcome), machine: identity.machine,
            hasCode: identity.hasCode, hasDebugInfo: identity.hasDebugInfo, size: identity.fileSize,
            findings: check.items)
    }

    /// Takes the pipes away from whatever library may print: its output goes to standard error.
    private func claimStandardStreams() -> FrameChannel? {
        _ = vaka_die_with_parent()
        let input = fcntl(0, F_DUPFD_CLOEXEC, 3)
        let output = fcntl(1, F_DUPFD_CLOEXEC, 3)
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard input >= 0, output >= 0, null >= 0 else { return nil }
        dup2(null, 0)
        dup2(2, 1)
        close(null)
        return FrameChannel(input: input, output: output)
    }

    /// Of memory only what is written counts: a large file that is mapped to be read does not.
    private func limitMemory() {
        limit(RLIMIT_DATA, limits.workerBytes)
        limit(RLIMIT_FSIZE, limits.workerFileBytes)
        // 1 and not 0: with a pipe as core_pattern, that is what keeps the kernel from collecting a core.
        limit(RLIMIT_CORE, 1)
    }

    private func limit(_ resource: __rlimit_resource, _ value: UInt64) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(resource.rawValue), &limit)
        limit.rlim_max = min(limit.rlim_max, rlim_t(value))
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    }

    /// From what is used so far, twice a job's time: a backstop should the server be gone.
    private func limitProcessorTime() {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        let used = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
        limit.rlim_cur = min(rlim_t(used) + rlim_t(2 * limits.workerSeconds) + 1, limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
    }
}
