// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The control side of a unit: instantiating, setting, saving, allocating, restarting. Control threads.

import AudioUnits
import Confinement
import ControlMessages
import FoundationEssentials
import Glibc
import LinuxSystem
import Rendering
import Synchronization
import Wire

/// The process of a unit.
package enum Isolation: String, Codable, Sendable {
    case outOfProcess = "out-of-process"
    case inProcess = "in-process"
}

/// The host's control side of an instance of a component.
///
/// Parameters set here reach the unit at its next block. All calls may come from any control thread.
package final class HostedUnit: Sendable {
    package let component: Component
    package let isolation: Isolation
    package let description: UnitDescription
    /// The texts that the unit takes beside parameters.
    package let texts: [TextProperty]
    /// The plug-in's own presets.
    let ownPresets: [FactoryPreset]
    /// The presets for it in other bundles; nil before the first query.
    private let extensionPresets = Mutex<ExtensionPresets?>(nil)
    /// The values as the host knows them, from `set` and from the unit's reports.
    package let values: ParameterValues

    struct State {
        var connection: any UnitConnection
        var lifecycle = UnitLifecycle(state: .instantiated)
        /// The unit's own data beside its parameters, as last saved.
        var custom: [UInt8] = []
        /// Its texts as last saved, except those with files that it may not read.
        var texts: [String: String] = [:]
        /// The files that the user has named in texts, and the texts that the user has set last.
        var namedFiles: Set<ExactPath> = []
        var setTexts: [String: String] = [:]
        /// The unit's last reported state.
        var snapshot: FullState?
        /// True if the present process has the state of the one before.
        var isWhole = true
        var renderThread: Int32 = 0
        /// The present or future sample rate in hertz; nil until it is known.
        var sampleRate: Double?
        /// The memory that it renders into; nil without resources.
        var memory: UnitMemory?
    }

    let state: Mutex<State>
    /// The unit's process, perhaps shared with others; nil in the host's process.
    package let unitProcess: UnitProcess?
    /// The queues to and from the render thread, while the unit has resources.
    let mailbox = UnitMailbox()
    /// The port through which sequencers reach the unit.
    package let port = MessagePort()
    let presentView = PresentView()
    /// The changes since the last snapshot.
    let journal = UnitJournal()
    /// The changes that are scheduled for later.
    let scheduled = ScheduledChanges()
    /// Calls the observers of values that the unit or a schedule changes.
    let observers = ObserverQueue()
    /// True if values were set for which the queue to the render thread had no room.
    let hasUnsentValues = Atomic<Bool>(false)

    /// The milliseconds that a unit has to answer the handshake.
    package static let handshakeTimeout: Int32 = 3000

    /// Starts a unit and waits for its greeting; the call blocks meanwhile.
    ///
    /// With `inProcess` the unit lives in the host, if the plug-in consents. Otherwise its process gets `addition` beside the
    /// usual environment.
    package convenience init(
        _ component: Component, inProcess: Bool = false, adding addition: ExtensionAddition? = nil
    ) throws(HostingError) {
        try self.init(component, at: inProcess ? .host : .process(UnitProcess([component], adding: addition)))
    }

    /// Starts the unit in a planned process.
    ///
    /// A unit that cannot share a process gets one of its own. Throws `blocked` and `quarantined` before anything is started.
    package init(_ component: Component, at residence: IsolationPlan.Residence) throws(HostingError) {
        guard !component.isBlocked else { throw .blocked(unit: component.name, id: component.id) }
        if let reason = component.quarantineReason {
            throw .quarantined(unit: component.name, id: component.id, reason: reason)
        }
        let connection: any UnitConnection
        let welcome: Welcome
        switch residence {
        case .host:
            unitProcess = nil
            connection = try Self.load(component)
            welcome = try Self.greet(connection, component)
        case .process(let process):
            let moved = try process.admit(component)
            (unitProcess, connection, welcome) = (moved.process, moved.connection, moved.welcome)
        }
        self.component = component
        isolation = unitProcess == nil ? .inProcess : .outOfProcess
        description = welcome.description
        texts = welcome.texts
        ownPresets = welcome.factoryPresets
        values = ParameterValues(tree: welcome.parameters)
        state = Mutex(State(connection: connection))
        unitProcess?.enter(self)
    }

    package var parameters: ParameterTree { values.tree }

    private let code = Mutex<PluginCode?>(nil)
    /// The unit's own data as documents hold it; all documents share it while it stays the same.
    private let sharedCustom = Mutex<Data?>(nil)

    /// The unit's own data for a document; nil if empty.
    func shared(_ custom: [UInt8]) -> Data? {
        guard !custom.isEmpty else { return nil }
        return sharedCustom.withLock { shared in
            if let shared, shared.hasBytes(of: custom) { return shared }
            let data = Data(custom)
            shared = data
            return data
        }
    }

    /// The plug-in's code as it was when the host started it, read at the first query.
    ///
    /// Nil if it cannot be read, or if another has taken its place.
    package var knownCode: PluginCode? {
        code.withLock { known in
            if known == nil { known = DecidedCode.shared.learn(component.home) }
            return known
        }
    }

    /// The presets of the plug-in, and after them the presets for it in other bundles.
    ///
    /// The first call may start processes that read these bundles.
    package var factoryPresets: [FactoryPreset] { ownPresets + foundExtensionPresets.presets }

    /// Bundles whose presets for this plug-in could not be read, as sentences.
    package var presetDefects: [String] { foundExtensionPresets.defects }

    /// The reason why a preset of another bundle cannot be selected; nil for any other name.
    func reasonForLeavingOut(preset name: String) -> String? { foundExtensionPresets.reasonForLeavingOut(name) }

    private var foundExtensionPresets: ExtensionPresets {
        extensionPresets.withLock { known in
            let presets = known ?? ExtensionPresets(for: component, parameters, own: ownPresets)
            known = presets
            return presets
        }
    }

    /// The unit's name, for sentences.
    package var name: String { description.name }

    /// The unit's process, perhaps shared with others; nil in the host's process.
    package var processIdentifier: Int32? { state.withLock { $0.connection.process?.identifier } }

    /// True if a filter restricts the system calls of the unit's process; true in the host's, which needs none.
    var isFiltered: Bool { unitProcess == nil || component.profile != .off && ConfinementOffer.current.filtersSystemCalls }

    /// The state in the unit's life cycle.
    package var lifecycleState: UnitState {
        state.withLock { state in
            guard state.lifecycle.state == .resourcesAllocated else { return state.lifecycle.state }
            return state.memory?.hasRequests == true ? .rendering : .resourcesAllocated
        }
    }

    /// Loads the unit into the host's own process, if it consents and the user trusts it.
    private static func load(_ component: Component) throws(HostingError) -> InProcessConnection {
        guard component.consentsToInProcess else { throw .noConsent(unit: component.name) }
        guard component.isTrusted else {
            throw .notTrusted(unit: component.name, id: component.id, change: component.lapsedRights?.change)
        }
        guard let library = component.libraryPath else {
            throw .inProcessUnavailable(unit: component.name, reason: "its bundle holds no library")
        }
        // A program that trusts a plug-in on its own account has no code in mind.
        if component.rights != nil { try component.checkCode() }
        let connection: InProcessConnection
        do throws(SystemSentence) {
            connection = try InProcessConnection(library: library)
        } catch {
            throw .inProcessUnavailable(unit: component.name, reason: error.description)
        }
        if component.rights != nil { try component.checkCode() }
        return connection
    }

    /// Sends the greeting, and checks that the answer comes from the unit in the manifest.
    static func greet(_ connection: any UnitConnection, _ component: Component) throws(HostingError) -> Welcome {
        func fault(_ fault: PluginFault) -> HostingError {
            .fault(unit: component.name, act: "instantiate", fault)
        }
        let answer: PluginMessage
        do throws(PluginFault) {
            answer = try connection.ask(
                .hello(.own, hostName: HostConfiguration.current.greeting, locator: component.locator), descriptors: [],
                timeoutMilliseconds: handshakeTimeout)
        } catch .unanswered(let milliseconds) {
            throw fault(.handshakeTimeout(milliseconds: milliseconds))
        } catch {
            throw fault(error)
        }
        switch answer {
        case .welcome(let welcome):
            guard VersionRange.own.minimum <= welcome.version, welcome.version <= VersionRange.own.maximum else {
                let theirs = VersionRange(minimum: welcome.version, maximum: welcome.version)
                throw fault(.versionMismatch(plugin: theirs, host: .own))
            }
            guard welcome.description.component == component.description, welcome.description.identifier == component.id else {
                throw fault(
                    .protocolViolation("its manifest says \(component.id) and it says \(welcome.description.identifier)"))
            }
            return welcome
        case .versionRefused(let theirs, _): throw fault(.versionMismatch(plugin: theirs, host: .own))
        case .refused(let reason): throw .refused(unit: component.name, act: "instantiate", cause: .failed(reason))
        default: throw fault(.protocolViolation("it answered the hello with something else"))
        }
    }

    /// Sends a request, over the unit's connection or over another one.
    ///
    /// Throws `fault` or `refused`, both about `act`.
    func ask(
        _ message: HostMessage, act: String, descriptors: [Int32] = [], over other: (any UnitConnection)? = nil
    ) throws(HostingError) -> PluginMessage {
        let connection = other ?? state.withLock { $0.connection }
        let answer: PluginMessage
        do throws(PluginFault) {
            answer = try connection.ask(message, descriptors: descriptors, timeoutMilliseconds: 5000)
        } catch {
            throw .fault(unit: name, act: act, error)
        }
        if case .refused(let reason) = answer { throw .refused(unit: name, act: act, cause: .failed(reason)) }
        return answer
    }
}

extension Data {
    /// True if it has the same bytes, compared in one call: a state may have 60 MiB.
    fileprivate func hasBytes(of other: [UInt8]) -> Bool {
        withUnsafeBytes { own in
            other.withUnsafeBytes { bytes in
                guard own.count == bytes.count else { return false }
                guard let start = own.baseAddress, let otherStart = bytes.baseAddress else { return true }
                return memcmp(start, otherStart, own.count) == 0
            }
        }
    }
}
