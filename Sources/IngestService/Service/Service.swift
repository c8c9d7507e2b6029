// SPDX-License-Identifier: Apache-2.0
import Alerts
import BlobStore
import DebugImages
import EventStore
import FoundationEssentials
import Glibc
import Synchronization
import VakaModel

/// The running service: store, pipeline, HTTP.
package final class Service: Sendable {
    let options: ServiceOptions
    let store: any EventStore
    let metrics = Metrics()
    let log: Log
    let images: UploadedFiles
    /// Images that no worker survived.
    let malformed: MalformedImages
    let folder: DataFolder
    /// How people reach it.
    let url: String
    let intake: ImageIntake
    let quotas = Quotas()
    let countedOnly = CountedOnly()
    let schemaDiagnostics = SchemaDiagnostics()
    let passwords: Passwords
    let throttle: LoginThrottle
    let scrubbing: Scrubbing
    let settings = IngestSettings()
    /// Held while uploaded files come and go.
    let storing = Monitor(())
    private let upstream: UpstreamImages?
    private let vaultRounds: VaultRounds?
    let held: HeldItems?
    private let pipeline: Pipeline
    private let identifier: Monitor<WorkerProcess>
    let eventReader: EventReader
    private let memory = Rounds(every: 15)
    private let server = Mutex<HTTPServer?>(nil)
    let housekeeping: Housekeeping
    let disk: DiskBudget
    let unusedImages: UnusedImages
    let uploads: UploadFolder
    let alertChannels: AlertChannels
    let alerts: AlertDispatcher

    /// Opens the folder, makes project and credentials at the first start, begins to work and to listen.
    package init(options: ServiceOptions) throws {
        try Secrets.prepare()
        passwords = try Passwords()
        throttle = LoginThrottle()
        try options.tls?.use()
        self.options = options
        let log = Log(options.logFormat)
        self.log = log
        folder = try DataFolder(path: options.dataFolder)
        malformed = DataFolder.malformed(options.dataFolder, options.limits)
        let store = try Self.open(folder, options, log)
        self.store = store
        scrubbing = Scrubbing(store: store)
        let socket = try ListeningSocket.inherited() ?? ListeningSocket(options.listen)
        url = options.publicURL ?? Self.reachable(socket, tls: options.tls != nil)
        listeningURL = socket.url(tls: options.tls != nil)
        let arguments = options.workerArguments
        let vault = try BlobSetup(folder: folder, options: options, metrics: metrics, log: log).vault()
        let identifier = Monitor(WorkerProcess(arguments: arguments, metrics: metrics, limits: options.limits))
        self.identifier = identifier
        // One at a time; what is given to the worker may end it.
        intake = ImageIntake(malformed: malformed, metrics: metrics, log: log) { [limits = options.limits] job in
            try identifier.withLock { worker in try worker.run(job, seconds: limits.workerSeconds * 2) }
        }
        eventReader = EventReader(
            WorkerProcess(arguments: arguments, metrics: metrics, limits: options.limits),
            seconds: options.limits.workerSeconds)
        images = UploadedFiles(
            folder: ImageStore(folder: folder.images), intake: intake, vault: vault, temporaryFolder: folder.temporary,
            removals: BuildIDFolder(path: folder.unremovedImages))
        upstream = Self.upstream(options, store, images.folder, folder, intake)
        let held = HeldItems(store: store, seconds: options.limits.blobPatience)
        let wanted = BuildIDFolder(path: folder.wantedImages)
        let supplies = vault.map { vault in
            Pipeline.Supplies(
                images: EventImages(vault: vault, store: store, wanted: wanted, log: log), held: held)
        }
        self.held = vault == nil ? nil : held
        vaultRounds = vault.map { [removals = images.removals] vault in
            VaultRounds(vault: vault, store: store, wanted: wanted, removals: removals, held: held, log: log)
        }
        pipeline = Pipeline(
            store: store, metrics: metrics, limits: options.limits, malformed: malformed, upstream: upstream,
            supplies: supplies, throttle: EarlyThrottle(store: store, metrics: metrics, countedOnly: countedOnly),
            workerArguments: arguments, log: log)
        uploads = UploadFolder(path: folder.uploads)
        housekeeping = Housekeeping(
            store: store, uploads: uploads, limits: options.limits, metrics: metrics, log: log)
        unusedImages = UnusedImages(store: store, images: images, metrics: metrics, storing: storing)
        disk = DiskBudget(
            limits: options.limits, folder: folder.path, store: store, unusedImages: unusedImages, metrics: metrics,
            log: log)
        try FirstStart(store: store, folder: folder, url: url, log: log).run()
        let door = FrontDoor(
            router: Router(routes: RouteTable.routes), authenticator: Authenticator(store: store, known: settings.keys),
            limits: options.limits, temporaryFolder: folder.temporary, uploads: uploads,
            disk: disk)
        alertChannels = AlertChannels(service: url, mail: options.mail, guarding: options.alertGuard)
        alerts = AlertDispatcher(
            store: store, channels: alertChannels, note: AlertNotes(metrics: metrics, log: log).take,
            log: { log.error("alerts_failed", $0) })
        let http = HTTPServer(service: self, door: door, socket: socket)
        pipeline.start(threads: max(1, options.workers), seconds: 10)
        housekeeping.start()
        disk.start()
        memory.start { [store] in store.giveBackMemory() }
        for body in alerts.bodies { startThread(body) }
        upstream?.start { [pipeline] in pipeline.wake() }
        vaultRounds?.start { [pipeline] in pipeline.wake() }
        try http.start()
        server.withLock { $0 = http }
        log.info("started", "listening on \(listeningURL)", ["url": .string(listeningURL)])
    }

    private static func open(_ folder: DataFolder, _ options: ServiceOptions, _ log: Log) throws -> SQLEventStore {
        let key = try options.keyFile.map { (path) throws(ServiceError) in try KeyFile(path: path) }
        try RowsElsewhere.note(options.store, in: folder.layout)
        let store =
            try options.store.map { (address) throws(StoreError) in try SQLEventStore(postgres: address, sealing: key) }
            ?? SQLEventStore(path: folder.database, sealing: key, journal: .own { log.error("journal_damaged", $0) })
        do throws(StoreError) {
            try store.requireKey()
        } catch {
            guard error.code == .wrongKey else { throw error }
            throw ServiceError("\(error) (see --key-file): start the server with that file")
        }
        return store
    }

    /// What the listening line says.
    package let listeningURL: String

    /// Finishes what is under way; what waits is worked on after the next start.
    package func stop() {
        housekeeping.stop()
        disk.stop()
        memory.stop()
        alerts.stop()
        server.withLock { server in
            server?.stop()
            server = nil
        }
        upstream?.stop()
        vaultRounds?.stop()
        pipeline.stop(seconds: 10)
        identifier.withLock { _ = $0.stop() }
        eventReader.stop()
        store.close()
        folder.release()
        log.info("stopped", "ended as asked")
    }

    /// Shows the certificate that the files hold now, to connections from now on; those that are open stay.
    package func renewCertificate() {
        guard let tls = options.tls else {
            return log.warning("nothing_to_renew", "SIGHUP: nothing to renew, for the server speaks plain HTTP")
        }
        do throws(ServiceError) {
            try tls.use()
            log.info(
                "certificate_renewed", "SIGHUP: the certificate in \(tls.certificate) is in use",
                ["file": .string(tls.certificate)])
        } catch {
            log.error(
                "certificate_not_renewed", "SIGHUP: the certificate before stays in use: \(error)",
                ["reason": .string("\(error)")])
        }
    }

    var isWorking: Bool { pipeline.isAlive }

    /// As they hold for a project.
    func rateLimits(_ project: Project) throws -> RateLimits {
        options.limits.rates.overridden(by: try store.rateLimits(project: project.id))
    }

    func ingestSettings(_ project: Project) throws -> IngestSettings.OfProject {
        let found = try settings.projects.value(project.id) {
            IngestSettings.OfProject(
                limits: try rateLimits(project), scrubber: try scrubbing.scrubber(project))
        }
        guard let found else { throw APIError.unavailable("the project's settings cannot be read; try again") }
        return found
    }

    func wakePipeline() {
        pipeline.wake()
    }

    private static func upstream(
        _ options: ServiceOptions, _ store: any EventStore, _ images: ImageStore, _ folder: DataFolder,
        _ intake: ImageIntake
    ) -> UpstreamImages? {
        guard !options.upstream.isEmpty else { return nil }
        let stores = UpstreamImages.Stores(
            events: store, uploaded: images,
            fetched: ImageStore(folder: DataFolder.fetchedImages(options.dataFolder)),
            mostBytes: options.limits.fetchedBytes)
        return UpstreamImages(
            servers: options.upstream, stores: stores, uploadBytes: options.limits.uploadBytes,
            temporaryFolder: folder.temporary, intake: intake)
    }

    private static func reachable(_ socket: ListeningSocket, tls: Bool) -> String {
        let scheme = tls ? "https" : "http"
        return switch socket.host {
        case "0.0.0.0": "\(scheme)://127.0.0.1:\(socket.port)"
        case "::": "\(scheme)://[::1]:\(socket.port)"
        default: socket.url(tls: tls)
        }
    }
}
