// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Vaka
public import VakaModel

/// Records what a program exchanges with other services, over the transports that it registers.
///
///     Vaka.start(options)
///     let session = URLSession(configuration: NetworkCapture.shared.registerURLSession(.default).configuration)
///
/// Nothing is recorded that was not registered: no method is replaced, and delegates stay the program's. Registration may come
/// before the start, from any thread, and any number of times. docs/network.md tells what each transport can do.
public final class NetworkCapture: Sendable {
    /// One record of an exchange.
    public typealias Record = NetworkRequestEvent
    /// What can be captured of one family, and why not.
    public typealias Capability = CapabilityDescriptor

    /// The one of the process: it records into the SDK that `Vaka.start` started.
    public static let shared = NetworkCapture(SDKSink(), isShared: true)

    let context: CaptureContext
    /// For transports that have no adapter: tell it what becomes of their exchanges.
    public let recorder: NetworkCaptureRecorder
    /// The same for what is no transport; its descriptors travel with the transports'.
    let navigation: NavigationCapture
    private let registered = Mutex<Set<HostTransport>>([])
    private let tellings = Atomic<UInt64>(0)

    init(_ sink: any NetworkSink, faults: FaultRules = FaultRules(), isShared: Bool = false) {
        context = CaptureContext(sink, faults: faults)
        recorder = NetworkCaptureRecorder(context)
        navigation = NavigationCapture()
        navigation.whenChanged.withLock { $0 = { [weak self] in self?.tell() } }
        if isShared { NetworkLink.observe(CaptureObserver(self)) }
    }

    // MARK: Switches

    /// Records while it is true; the service's switch must be on, too. Exchanges that last when it is switched off are not told.
    public var isEnabled: Bool {
        get { context.isEnabled }
        set {
            context.isEnabled = newValue
            recorder.captureChanged()
            tell()
        }
    }

    /// What is kept of an exchange.
    public var options: NetworkCaptureOptions {
        get { context.options }
        set { context.options = newValue }
    }

    // MARK: What can be captured

    /// A descriptor for each `HostTransport`, in their order.
    public func transportCapabilities() -> [Capability] {
        let settings = context.sink.settings
        let state = CaptureState(
            isInitialized: settings?.isInitialized ?? false, isEnabled: context.isEnabled && settings?.captures ?? true,
            registered: registered.withLock { $0 })
        return state.descriptors
    }

    /// Forgets what was registered, the rules and the switches; sessions that were made go on as they are.
    public func reset() {
        registered.withLock { $0 = [] }
        context.faults.removeAll()
        context.options = NetworkCaptureOptions()
        isEnabled = true
    }

    func register(_ transport: HostTransport) {
        let isNew = registered.withLock { $0.insert(transport).inserted }
        if isNew { tell() }
    }

    /// The SDK learns what it can tell of.
    func tell() {
        guard context.sink.settings != nil else { return }
        // The number first: whoever has a higher one looks later.
        let number = tellings.add(1, ordering: .sequentiallyConsistent).newValue
        context.sink.tell(transportCapabilities() + navigation.hostIntegrationCapabilities(), number: number)
    }

    // MARK: What has no adapter

    /// Records an exchange that the program itself made known: headers are redacted, bodies bounded, and the address loses
    /// user, password, query and fragment, as with any other. What else is in it, the program must have taken out.
    public func recordRequest(_ record: Record) {
        context.emitManual(record)
    }

    // MARK: Faults

    /// Puts a rule into force, in the place of one of the same id. False where this build has no rules (it is no debug build),
    /// or 256 are in force.
    @discardableResult
    public func addFaultRule(_ rule: FaultRule) -> Bool { context.faults.add(rule) }
    /// Those in force, oldest first.
    public var faultRules: [FaultRule] { context.faults.rules }
    /// Ends a rule.
    public func removeFaultRule(_ id: String) { context.faults.remove(id) }
    /// Ends all of them.
    public func removeFaultRules() { context.faults.removeAll() }
}

/// Tells of the SDK's starts and stops.
private final class CaptureObserver: NetworkObserver {
    private let capture: NetworkCapture

    init(_ capture: NetworkCapture) {
        self.capture = capture
    }

    func started() {
        capture.navigation.sdkStarted()
        // What lasts since before, a crash of this run is to take along.
        capture.recorder.captureChanged()
        capture.tell()
    }

    func stopped() { capture.navigation.sdkStopped() }
    func settingsChanged() {
        capture.recorder.captureChanged()
        capture.tell()
    }
}
