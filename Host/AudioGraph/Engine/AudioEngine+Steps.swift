// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Passes events to the engine's `PlanProgress`, and carries out its actions. Any thread but the render thread.

import LinuxSystem
import Rendering

extension AudioEngine {
    /// Plays an edit, if something plays.
    func commit() throws(AudioEngineError) {
        let (environment, tickets) = state.withLock { ($0.playing?.environment, $0.draft) }
        var changing: [AudioNode] = []
        if let environment { changing = try nodesThatMustLeave(in: environment) }
        // The end of a link may end a node: that must not happen with the lock held.
        let former = state.withLock { ($0.graph.broken, $0.graph.detached) }
        defer { withExtendedLifetime(former) {} }
        do throws(AudioEngineError) {
            try perform { state in
                let next = state.playing?.player.nextSerial ?? 0
                defer { state.draft = [] }
                return .edited(PlanProgress.Edit(changing: changing, tickets: tickets, nextSerial: next))
            }
        } catch {
            state.withLock { $0.draft = tickets + $0.draft }
            throw error
        }
        state.withLock { ($0.graph.broken, $0.graph.detached) = ([], []) }
        if environment != nil { thread.wake() }
    }
}

// MARK: - Steps

extension AudioEngine {
    /// Passes an event to the progress, and carries out its actions; throws if the progress refuses.
    ///
    /// Only with the edit lock. `event` is called with the state locked.
    func perform(_ event: (inout State) -> PlanProgress.Event?) throws(AudioEngineError) {
        if let refusal = takeSteps(event) { throw refusal }
    }

    /// Passes an event that no call of the program has caused; errors are reported to the program.
    ///
    /// An event that may lead to a plan comes with the edit lock.
    func follow(_ event: (inout State) -> PlanProgress.Event?) {
        if let refusal = takeSteps(event) { tell(refusal, []) }
    }

    private func takeSteps(_ event: (inout State) -> PlanProgress.Event?) -> AudioEngineError? {
        var refusal: AudioEngineError?
        var actions = step(event)
        while let action = actions.popFirst() {
            if case .refuse(let error) = action { refusal = error }
            if let answer = carryOut(action) { actions += step { _ in answer } }
        }
        return refusal
    }

    private func step(_ event: (inout State) -> PlanProgress.Event?) -> ArraySlice<PlanProgress.Action> {
        let (former, actions) = state.withLock { state -> (PlanProgress, [PlanProgress.Action]) in
            guard let event = event(&state) else { return (PlanProgress(), []) }
            let former = state.progress
            let graph = state.graph
            return (former, state.progress.step(event, graph))
        }
        // This may be the last reference to a node, whose end calls observers: the state is not locked meanwhile.
        withExtendedLifetime(former) {}
        return actions[...]
    }

    /// Carries out one action, and returns the event that answers it.
    private func carryOut(_ action: PlanProgress.Action) -> PlanProgress.Event? {
        switch action {
        case .prepare: return prepareForPlan()
        case .play(let next): return play(next)
        case .giveBack(let nodes): return giveBack(nodes)
        case .release(let nodes): release(nodes)
        case .wire(let rows): return wire(rows)
        case .resolve(let ticket, let time): ticket.resolve(at: time)
        case .tell(let error, let tickets): tell(error, tickets)
        case .refuse: break
        }
        return nil
    }

    private func prepareForPlan() -> PlanProgress.Event {
        guard let environment = state.withLock({ $0.playing?.environment }) else { return .stopped }
        do throws(AudioEngineError) {
            try prepareNodes(environment)
            return .prepared
        } catch {
            return .notPrepared(error)
        }
    }

    private func giveBack(_ nodes: [AudioNode]) -> PlanProgress.Event {
        for node in nodes where node.isOwned(by: self) { node.body.unprepare() }
        guard let environment = state.withLock({ $0.playing?.environment }) else { return .stopped }
        do throws(AudioEngineError) {
            return .gaveBack(changing: try nodesThatMustLeave(in: environment))
        } catch {
            tell(error, [])
            return .gaveBack(changing: [])
        }
    }

    private func release(_ nodes: [AudioNode]) {
        for node in nodes where node.engine !== self && node.isOwned(by: self) {
            node.body.unprepare()
            node.release(from: self)
            node.body.attend(node)
        }
    }

    /// Lets the units of rows hand over to each other.
    ///
    /// On a thread of its own: a unit may take seconds to answer, and the fades go on.
    private func wire(_ identities: [ObjectIdentifier]) -> PlanProgress.Event? {
        let wanted = Set(identities)
        let rows = state.withLock { $0.playing?.rows ?? [] }.filter { wanted.contains(ObjectIdentifier($0)) }
        do throws(SystemError) {
            let thread = try parts.thread("wire") { [weak self] in
                for row in rows { row.rendered.wire() }
                self?.follow { _ in .wired }
                self?.thread.wake()
            }
            thread.detach()
            return nil
        } catch {
            return .notWired(.system(error))
        }
    }

    /// Reports to the program an error that no call can throw.
    private func tell(_ error: AudioEngineError, _ tickets: [EditTicket]) {
        for ticket in tickets { ticket.tell(error) }
        keep(error)
        tell(.followUpFailed(reason: "\(error)"))
    }
}
