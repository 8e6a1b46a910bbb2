// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit as the host's control side knows it: instantiated, set, saved, given resources, restarted. Control threads.

import AudioUnits
import Confinement
import ControlMessages
import LinuxSystem
import Synchronization
import Wire

/// Where a unit runs.
public enum Isolation: String, Codable, Sendable {
    case outOfProcess = "out-of-process"
    case inProcess = "in-process"
}

/// An instance of a component.
///
/// Parameters set here reach the unit at its next block. All calls may come from any control thread.
public final class HostedUnit: Sendable {
    public let component: Component
    public let isolation: Isolation
    public let description: UnitDescription
    /// What can be set beside parameters.
    public let texts: [TextProperty]
    public let factoryPresets: [FactoryPreset]
    /// The values as far as the host knows them; what `set` changes and what the unit reports.
    public let values: ParameterValues

    struct State {
        var connection: any UnitConnection
        var lifecycle = UnitLifecycle(state: .instantiated)
        /// What the unit keeps beside its parameters, as it was last saved.
        var custom: [UInt8] = []
        /// Its texts, likewise, without those that name files which nobody has let it read.
        var texts: [String: String] = [:]
        /// The files that the host's user has named in its texts, and its texts as the user has set them last.
        var namedFiles: Set<String> = []
        var setTexts: [String: String] = [:]
        /// All that the unit said when its state was asked for last, or given to it.
        var snapshot: FullState?
        /// Whether the process has been given what the one before it had.
        var isWhole = true
        var renderThread: Int32 = 0
        /// Where it renders, while it has resources.
        var memory: UnitMemory?
    }

    let state: Mutex<State>
    /// The process that it lives in, perhaps with others; nil in the host's.
    let unitProcess: UnitProcess?
    /// The ways to and from the render thread, while there are resources.
    let mailbox = UnitMailbox()
    /// What was changed since the last snapshot.
    let journal = UnitJournal()
    /// What is to change later.
    let scheduled = ScheduledChanges()
    /// Whether values were set that found no room on their way to the render thread.
    let hasUnsentValues = Atomic<Bool>(false)

    /// Milliseconds that a unit has to answer the handshake.
    public static let handshakeTimeout: Int32 = 3000

    /// Starts a unit and greets it, for as long as that takes: no work for a thread that has others to serve. Out of process unless
    /// the host asks for it and the plug-in consents. A process of the unit's own gets `addition` beside the usual.
    public convenience init(
        _ component: Component, inProcess: Bool = false, adding addition: ExtensionAddition? = nil
    ) throws(HostingError) {
        try self.init(component, at: inProcess ? .host : .process(UnitProcess([component], adding: addition)))
    }

    /// Starts the unit where a plan has it. One that cannot live with others gets a process of its own.
    public init(_ component: Component, at place: IsolationPlan.Place) throws(HostingError) {
        guard !component.isBlocked else { throw .blocked(unit: component.name, id: component.id) }
        let connection: any UnitConnection
        let welcome: Welcome
        switch place {
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
        factoryPresets = welcome.factoryPresets
        values = ParameterValues(tree: welcome.parameters)
        state = Mutex(State(connection: connection))
        unitProcess?.enter(self)
    }

    public var parameters: ParameterTree { values.tree }

    /// The unit's name, for sentences.
    public var name: String { description.name }

    /// The process that the unit lives in, perhaps with others, or nil in the host's.
    public var processIdentifier: Int32? { state.withLock { $0.connection.process?.identifier } }

    /// Whether a filter of system calls keeps its process from what it has no reason to do; in the host's there is nothing to keep it
    /// from.
    var isFiltered: Bool { unitProcess == nil || component.profile != .off && ConfinementOffer.current.filtersSystemCalls }

    /// Where the unit is in its life.
    public var lifecycleState: UnitState {
        state.withLock { state in
            guard state.lifecycle.state == .resourcesAllocated else { return state.lifecycle.state }
            return state.memory?.hasRequests == true ? .rendering : .resourcesAllocated
        }
    }

    /// Loads the unit into the host's own process, if it consents.
    private static func load(_ component: Component) throws(HostingError) -> InProcessConnection {
        guard component.consentsToInProcess else {
            guard component.format != .native else { throw .noConsent(unit: component.name) }
            let elsewhere = component.trustedElsewhere.map { TrustedElsewhere(trusted: $0, found: component.placePath ?? "") }
            throw .notTrusted(unit: component.name, id: component.id, elsewhere: elsewhere)
        }
        guard let library = component.libraryPath else {
            throw .inProcessUnavailable(unit: component.name, reason: "its bundle holds no library")
        }
        do throws(SystemSentence) {
            return try InProcessConnection(library: library)
        } catch {
            throw .inProcessUnavailable(unit: component.name, reason: error.description)
        }
    }

    /// Says hello and checks that whoever answers is the unit that the manifest promises.
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

    /// Asks, and turns a fault or a refusal into a sentence about `act`. Over its own connection where none is named.
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
