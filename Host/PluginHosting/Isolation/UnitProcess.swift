// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A process and its units: one, or several that share its fate. Control threads.

import Confinement
import ControlMessages
import Glibc
import LinuxSystem
import Synchronization

/// `[control]` A process for units outside the host; after its death, its successor.
///
/// The first unit starts with the process. The others are passed to the first one over its control channel, each with a channel
/// of its own. So the first one's channel stays open for as long as a unit lives there.
package final class UnitProcess: Sendable {
    /// True if the process was planned for more than one unit.
    let isShared: Bool
    private let addition: ExtensionAddition?

    private struct State {
        /// The plug-ins of its units.
        ///
        /// The confinement allows everything that they need.
        var components: [Component]
        var first: ExtensionConnection?
        /// True if the process accepts units after the first one.
        var takesUnits = false
        /// The files that it has had the right to read since its start.
        var readableFiles: Set<ExactPath> = []
        /// The numbers of the code that has the rights of this process, by paths; see `DecidedCode`.
        var codeNumbers: [ExactPath: Int] = [:]
        /// True if it has rights that not every process of its plug-ins has.
        var hasRights = false
        /// The most threads of the process; nil for the system's limit.
        var threadLimit: UInt64?
        var residents: [Resident] = []
        /// The supervisor of its units.
        weak var supervisor: Supervisor?
    }

    private struct Resident {
        weak var unit: HostedUnit?
    }

    private let state: Mutex<State>

    /// Plans a process; its later rights belong to the present code of the plug-ins, which the user starts.
    convenience init(_ components: [Component], adding addition: ExtensionAddition? = nil) {
        let numbers = components.compactMap { component in
            DecidedCode.shared.meet(component.home).map { (ExactPath(component.home), $0) }
        }
        self.init(components, addition, Dictionary(numbers) { first, _ in first })
    }

    private init(_ components: [Component], _ addition: ExtensionAddition?, _ codeNumbers: [ExactPath: Int]) {
        isShared = components.count > 1
        state = Mutex(State(components: components, codeNumbers: codeNumbers))
        self.addition = addition
    }

    /// The number of the code that has the rights of this process; nil for code that cannot have any.
    func codeNumber(of home: String) -> Int? { state.withLock { $0.codeNumbers[ExactPath(home)] } }

    /// The units in the process, in the order of their arrival.
    var residents: [HostedUnit] { state.withLock { $0.residents.compactMap(\.unit) } }

    var readableFiles: Set<ExactPath> { state.withLock { $0.readableFiles } }
    var threadLimit: UInt64? { state.withLock { $0.threadLimit } }

    func enter(_ unit: HostedUnit) {
        state.withLock { state in
            state.residents.removeAll { $0.unit == nil }
            state.residents.append(Resident(unit: unit))
        }
    }

    /// Makes `supervisor` its supervisor, which restarts it after its death; false if it has another one.
    func isTaken(by supervisor: Supervisor) -> Bool {
        state.withLock { state in
            if state.supervisor == nil { state.supervisor = supervisor }
            return state.supervisor === supervisor
        }
    }

    /// Ends its supervision by `supervisor`.
    func release(by supervisor: Supervisor) {
        state.withLock { if $0.supervisor === supervisor { $0.supervisor = nil } }
    }

    /// Ends the process and all its units.
    func end() {
        let first = state.withLock { state in
            defer { state.first = nil }
            return state.first
        }
        _ = first?.child.kill()
    }

    /// Makes an empty process, not started yet, for all units of this one to move to.
    func makeSuccessor() -> UnitProcess {
        let (components, numbers) = state.withLock { ($0.components, $0.codeNumbers) }
        return UnitProcess(components, addition, numbers)
    }

    /// Takes over the process that `successor` started.
    ///
    /// The former process ends once no unit is connected to it.
    func become(_ successor: UnitProcess) {
        let other = successor.state.withLock { ($0.first, $0.takesUnits, $0.readableFiles, $0.hasRights, $0.threadLimit) }
        state.withLock { ($0.first, $0.takesUnits, $0.readableFiles, $0.hasRights, $0.threadLimit) = other }
    }

    /// Starts a unit, as the first one of a new process or in the running one, and exchanges greetings with it.
    ///
    /// A process gets the right to read `files` at its start or never. With `mustJoin` the unit is refused if its shared process
    /// has ended: a new process would not be that of its neighbours. Throws `codeChanged` if a plug-in in a process with rights is
    /// no longer the code that the user means.
    func open(
        _ component: Component, act: String, reading files: Set<ExactPath> = [], mustJoin: Bool = false
    ) throws(HostingError) -> (connection: ExtensionConnection, welcome: Welcome) {
        var result: Result<(ExtensionConnection, Welcome), HostingError>?
        // A second unit waits here until the first one has started.
        state.withLock { state in
            if state.first?.child.poll() != nil { state.first = nil }
            result = Result { () throws(HostingError) in
                if let first = state.first {
                    return try checking(state.hasRights ? [component] : [], state.codeNumbers) { (_) throws(HostingError) in
                        try join(component, first, state.takesUnits, act)
                    }
                }
                guard !mustJoin else {
                    throw .refused(unit: component.name, act: act, cause: .failed("the process that it shares has ended"))
                }
                var confinement = Component.confinement(ofAll: state.components, reading: files)
                let hasRights = !files.isEmpty || state.components.contains { $0.hasRights }
                let (connection, welcome) = try checking(hasRights ? state.components : [], state.codeNumbers) {
                    (codes) throws(HostingError) in
                    confinement?.held = codes
                    return try start(component, confinement, act)
                }
                state.hasRights = hasRights
                state.threadLimit = confinement?.limits.threadCount
                state.first = connection
                state.takesUnits = welcome.description.flags.contains(.takesUnits)
                state.readableFiles = files
                return (connection, welcome)
            }
        }
        return try result!.get()
    }

    /// Starts a unit here, or in a process of its own if it cannot live with others.
    func admit(
        _ component: Component
    ) throws(HostingError) -> (process: UnitProcess, connection: ExtensionConnection, welcome: Welcome) {
        do throws(HostingError) {
            let (connection, welcome) = try open(component, act: "start")
            // A process that accepts only one unit must not have the rights of all.
            if welcome.description.flags.contains(.takesUnits) || !isShared || connection !== first {
                return (self, connection, welcome)
            }
            end()
        } catch {
            guard case .unsociable = error else { throw error }
        }
        // The other units of the process do not need its rights.
        state.withLock { state in
            if let index = state.components.firstIndex(of: component) { state.components.remove(at: index) }
        }
        let own = UnitProcess([component], addition, state.withLock { $0.codeNumbers })
        let (connection, welcome) = try own.open(component, act: "start")
        return (own, connection, welcome)
    }

    /// Starts a unit by `body` between two checks of the code of these plug-ins, which have rights.
    ///
    /// The second check finds code that was replaced while a unit without a root of its own loaded it. The unit ends then.
    private func checking(
        _ components: [Component], _ numbers: [ExactPath: Int],
        _ body: ([HeldCode]) throws(HostingError) -> (ExtensionConnection, Welcome)
    ) throws(HostingError) -> (ExtensionConnection, Welcome) {
        let codes = try DecidedCode.shared.check(components, numbered: numbers)
        let started: (ExtensionConnection, Welcome)
        do throws(HostingError) {
            started = try body(codes)
        } catch .fault(let unit, _, .notStarted(_, code: ESTALE?)) where !codes.isEmpty {
            // A file changed after the check and before it was mounted.
            throw .codeChanged(unit: unit, path: codes[0].home)
        }
        do throws(HostingError) {
            _ = try DecidedCode.shared.check(components, numbered: numbers)
        } catch {
            _ = started.0.child.kill()
            throw error
        }
        return started
    }

    private var first: ExtensionConnection? { state.withLock { $0.first } }

    private func start(
        _ component: Component, _ confinement: Confinement?, _ act: String
    ) throws(HostingError) -> (ExtensionConnection, Welcome) {
        if confinement != nil { try HostConfiguration.checkConfinement() }
        if let library = component.libraryPath { FileCache.readInLargePieces(path: library) }
        let connection: ExtensionConnection
        do throws(PluginFault) {
            connection = try ExtensionConnection(
                executable: component.executablePath, confinement: confinement, adding: addition)
        } catch {
            throw .fault(unit: component.name, act: act, error)
        }
        OutputReader.shared.follow(connection.child, as: component.name)
        return (connection, try HostedUnit.greet(connection, component))
    }

    private func join(
        _ component: Component, _ first: ExtensionConnection, _ takesUnits: Bool, _ act: String
    ) throws(HostingError) -> (ExtensionConnection, Welcome) {
        guard takesUnits else { throw .unsociable(unit: component.name, reason: "its process takes in no other unit") }
        guard let library = component.libraryPath.map({ FilePath.resolved($0) ?? FilePath.absolute($0) }) else {
            throw .unsociable(unit: component.name, reason: "its bundle holds no library")
        }
        let connection: ExtensionConnection
        do throws(PluginFault) {
            connection = try ExtensionConnection(joining: first, library: library)
        } catch .notStarted(let reason, _) {
            throw .unsociable(unit: component.name, reason: reason)
        } catch {
            throw .fault(unit: component.name, act: act, error)
        }
        return (connection, try HostedUnit.greet(connection, component))
    }
}
