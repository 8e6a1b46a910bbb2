// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Stands in for an engine without threads, sound or units: does what a progress asks for, and checks that it may be asked. Test thread.

import Rendering
import Testing

@testable import AudioGraph

/// A graph of mixers, a player that the test steps, and the progress between them.
final class ProgressBench {
    /// A plan: connections, and the number under which the player knows it.
    struct Plan {
        var serial: UInt64 = 0
        var links: [(link: GraphState.Link, isLeaving: Bool)]

        func holds(_ node: AudioNode) -> Bool { links.contains { $0.link.source === node || $0.link.destination === node } }
        func holds(_ link: GraphState.Link) -> Bool { links.contains { $0.link.state === link.state } }
    }

    private(set) var progress = PlanProgress()
    var graph = GraphState()
    let output = AudioOutputNode()

    // The player: the render thread takes `pending` with its next cycle.
    private(set) var serial: UInt64 = 0
    private(set) var pending: Plan?
    private(set) var current: Plan?
    private(set) var retired: [Plan] = []
    private(set) var cycle: Int64 = 0
    private var times: [UInt64: Int64] = [:]
    private(set) var isPlaying = false
    /// How much of a connection is heard, in parts of `fadeLength`.
    private var levels: [ObjectIdentifier: Int] = [:]
    static let fadeLength = 3

    /// The resources that nodes have and those that the graph wants for them, as numbers.
    private(set) var resources: [AudioNode: Int] = [:]
    var wanted: [AudioNode: Int] = [:]
    /// So many plans fail before one succeeds; so many preparations do.
    var failingPlans = 0
    var failingPreparations = 0
    var failsToWire = false
    /// Why the rows of a plan could not be made.
    var rowFailure: AudioEngineError?
    /// What a plan tells of rows and of what may become one.
    var joining: [ConnectionState] = []
    var rows: [ObjectIdentifier] = []

    private(set) var tickets: [EditTicket] = []
    private(set) var told: [AudioEngineError] = []
    private(set) var released: [AudioNode] = []
    private(set) var wired: [[ObjectIdentifier]] = []
    private(set) var planCount = 0
    /// Whether nodes that refuse may be left out, for each preparation.
    private(set) var preparations: [Bool] = []

    init() {
        graph.attach(output)
        graph.outputNode = output
    }

    // MARK: Edits

    func node() -> AudioMixerNode {
        let node = AudioMixerNode()
        wanted[node] = 1
        return node
    }

    func link(_ source: AudioNode, _ destination: AudioNode, bus: Int = 0, state: ConnectionState = ConnectionState())
        -> GraphState.Link
    {
        GraphState.Link(source: source, sourceBus: 0, destination: destination, destinationBus: bus, state: state)
    }

    /// Makes an edit, and takes it back if it is refused; returns its ticket.
    @discardableResult
    func edit(_ change: (inout GraphState) -> Void) throws(AudioEngineError) -> EditTicket {
        let (former, wishes) = (graph, wanted)
        change(&graph)
        let ticket = EditTicket()
        do throws(AudioEngineError) {
            try perform(.edited(PlanProgress.Edit(changing: changing, tickets: [ticket], nextSerial: serial + 1)))
        } catch {
            (graph, wanted) = (former, wishes)
            throw error
        }
        (graph.broken, graph.detached) = ([], [])
        tickets.append(ticket)
        return ticket
    }

    func start() throws(AudioEngineError) {
        let isNew = !isPlaying
        if isNew { _ = run(.opened) }
        isPlaying = true
        // Nothing renders.
        for node in activeNodes { resources[node] = wanted[node] }
        do throws(AudioEngineError) {
            try perform(.started(isFaded: !isNew))
        } catch {
            if isNew { stop() }
            throw error
        }
    }

    func stop() {
        (pending, current, retired, isPlaying) = (nil, nil, [], false)
        (serial, times, resources) = (0, [:], [:])
        _ = run(.stopped)
    }

    // MARK: Looks

    /// Renders a cycle.
    func render() {
        cycle += 1
        if let next = pending {
            if let current { retired.append(current) }
            (current, pending) = (next, nil)
            times[next.serial] = cycle
        }
        for (link, isLeaving) in current?.links ?? [] {
            let state = ObjectIdentifier(link.state)
            levels[state] = min(Self.fadeLength, max(0, levels[state, default: 0] + (isLeaving ? -1 : 1)))
        }
    }

    /// One kind of look that the engine takes.
    enum Look: CaseIterable { case plan, fades, plansInUse, nodesInUse, latencies, joining, rows, wired }

    /// Looks as the engine does, and makes what follows.
    func look(_ looks: [Look] = [.plan, .fades, .plansInUse, .nodesInUse]) {
        for look in looks { take(look) }
    }

    func take(_ look: Look, latenciesHaveChanged: Bool = false) {
        guard isPlaying else { return }
        switch look {
        case .plan:
            var heard: [UInt64: Int64] = [:]
            // A plan that was replaced before the render thread took it is heard with the next one.
            for number in progress.awaited { heard[number] = times.filter { $0.key >= number }.min { $0.key < $1.key }?.value }
            follow(.heard(current?.serial ?? 0, times: heard))
        case .fades:
            let fading = progress.standing.leaving.map(\.link) + (pending ?? current)!.links.filter(\.isLeaving).map(\.link)
            follow(.faded(Set(fading.map { ObjectIdentifier($0.state) }.filter { levels[$0, default: 0] == 0 })))
        case .plansInUse:
            retired = []
            follow(.plansInUse(plans.count))
        case .nodesInUse:
            retired = []
            let nodes = plans.flatMap(\.links).flatMap { [$0.link.source, $0.link.destination] }
            follow(.nodesInUse(Set(nodes.map { ObjectIdentifier($0) })))
        case .latencies: follow(.latencies(haveChanged: latenciesHaveChanged, at: nil))
        case .joining:
            let plain = joining.map { ObjectIdentifier($0) }.filter { levels[$0] == Self.fadeLength }
            follow(.plain(Set(plain)))
        case .rows: follow(.wanting(Set(rows)))
        case .wired: follow(.wired)
        }
    }

    /// Renders and looks until nothing is left to do.
    func settle() {
        for _ in 0..<40 {
            render()
            look()
        }
    }

    func level(of link: GraphState.Link) -> Int { levels[ObjectIdentifier(link.state), default: 0] }

    /// All plans that the render thread may still use.
    var plans: [Plan] { retired + [current, pending].compactMap { $0 } }

    // MARK: What the progress asks for

    private func perform(_ event: PlanProgress.Event) throws(AudioEngineError) {
        if let refusal = run(event) { throw refusal }
    }

    private func follow(_ event: PlanProgress.Event) {
        let refusal = run(event)
        #expect(refusal == nil, "nobody has asked for what was refused: \(String(describing: refusal))")
    }

    private func run(_ event: PlanProgress.Event) -> AudioEngineError? {
        var events = [event]
        var refusal: AudioEngineError?
        while let event = events.popLast() {
            let former = progress.standing.departure
            let actions = progress.step(event, graph)
            checkDeparture(former, event)
            for (index, action) in actions.enumerated() {
                if case .refuse(let error) = action { refusal = error }
                guard let answer = carryOut(action) else { continue }
                #expect(index == actions.count - 1, "only the last action is answered")
                events.append(answer)
            }
        }
        return refusal
    }

    private func carryOut(_ action: PlanProgress.Action) -> PlanProgress.Event? {
        switch action {
        case .prepare(let leavesOut): return prepare(leavesOut: leavesOut)
        case .play(let next): return play(next)
        case .giveBack(let nodes):
            for node in nodes {
                #expect(!plans.contains { $0.holds(node) }, "a plan holds what gives its resources back")
                resources[node] = nil
            }
            return .gaveBack(changing: changing)
        case .release(let nodes):
            for node in nodes where !graph.contains(node) {
                #expect(!plans.contains { $0.holds(node) }, "a plan holds what is released")
                resources[node] = nil
                released.append(node)
            }
        case .wire(let rows):
            wired.append(rows)
            return failsToWire ? .notWired(.driver(reason: "no thread")) : nil
        case .resolve(let ticket, let time): ticket.resolve(at: time)
        case .tell(let error, let tickets):
            for ticket in tickets { ticket.tell(error) }
            told.append(error)
        case .refuse: break
        }
        return nil
    }

    private func prepare(leavesOut: Bool) -> PlanProgress.Event {
        preparations.append(leavesOut)
        guard failingPreparations == 0 else {
            failingPreparations -= 1
            return .notPrepared(.driver(reason: "no memory"))
        }
        for node in activeNodes where resources[node] != wanted[node] {
            #expect(!plans.contains { $0.holds(node) } || resources[node] == nil, "a plan holds what gets other resources")
            resources[node] = wanted[node]
        }
        return .prepared
    }

    private func play(_ next: NextPlan) -> PlanProgress.Event {
        guard failingPlans == 0 else {
            failingPlans -= 1
            return .refused(.cycle(nodes: [NamedNode("injected")]))
        }
        let links = compile(next)
        guard !Self.hasCycle(links.map(\.link)) else { return .refused(.cycle(nodes: [])) }
        serial += 1
        planCount += 1
        if let pending { retired.removeAll { $0.serial == pending.serial } }
        pending = Plan(serial: serial, links: links)
        return .handedOver(
            PlanProgress.Receipt(
                serial: serial,
                connections: links.map {
                    PlanProgress.PlannedConnection(state: ObjectIdentifier($0.link.state), isLeaving: $0.isLeaving)
                }, joining: joining, rows: rows, rowFailure: rowFailure))
    }

    /// The connections from which something leads to the output.
    private func compile(_ next: NextPlan, isPlan: Bool = true) -> [(link: GraphState.Link, isLeaving: Bool)] {
        var (found, rest, seen): ([(link: GraphState.Link, isLeaving: Bool)], [AudioNode], Set<AudioNode>) = (
            [], [output], [output]
        )
        while let node = rest.popLast() {
            let inputs = (next.graph[node]?.inputs ?? [:]).sorted { $0.key < $1.key }.map(\.value)
            let leaving = next.leaving.filter { $0.destination === node }
            for (link, hasLeft) in inputs.map({ ($0, false) }) + leaving.map({ ($0, true) }) {
                let fate = hasLeft ? .leaves : next.fate(of: link)
                if case .isGone = fate { continue }
                // A node without resources is in no plan.
                if isPlan, resources[link.source] == nil { continue }
                if case .leaves = fate { found.append((link, true)) } else { found.append((link, false)) }
                if seen.insert(link.source).inserted { rest.append(link.source) }
            }
        }
        return found
    }

    private static func hasCycle(_ links: [GraphState.Link]) -> Bool {
        var rest = links
        while true {
            let kept = rest.filter { link in rest.contains { $0.destination === link.source } }
            if kept.count == rest.count { return !rest.isEmpty }
            rest = kept
        }
    }

    /// The nodes that the graph leads to the output.
    var activeNodes: [AudioNode] {
        compile(NextPlan(graph, after: PlanProgress.Standing(), isFaded: true), isPlan: false).map(\.link.source) + [output]
    }

    private var changing: [AudioNode] {
        var seen: Set<AudioNode> = []
        return activeNodes.filter { seen.insert($0).inserted }.filter { node in
            plans.contains { $0.holds(node) } && resources[node] != nil && resources[node] != wanted[node]
        }
    }

    /// One departure is under way at a time, and each takes its steps in their order.
    private func checkDeparture(_ former: PlanProgress.Departure, _ event: PlanProgress.Event) {
        switch (event, former, progress.standing.departure) {
        case (.opened, _, .none), (.stopped, _, .none), (.handedOver, _, .none): break
        case (_, .none, .none), (_, .none, .fading), (_, .gone, .gone), (.handedOver, .gone, .fading): break
        case (_, .fading(let before), .fading(let after)), (_, .fading(let before), .leaving(let after)),
            (_, .leaving(let before), .leaving(let after)):
            #expect(before == after, "another departure has begun")
        case (.nodesInUse, .leaving, .gone): break
        default: Issue.record("\(former) became \(progress.standing.departure)")
        }
    }

    /// Whether the plan that is heard is the graph, and nothing waits any more.
    func isFinal() -> Bool {
        let links = compile(NextPlan(graph, after: PlanProgress.Standing(), isFaded: true), isPlan: false).map(\.link)
        let played = current?.links ?? []
        let standing = progress.standing
        return pending == nil && played.count == links.count && links.allSatisfy { current?.holds($0) == true }
            && played.allSatisfy { !$0.isLeaving } && standing.leaving.isEmpty && standing.departed.isEmpty && !standing.isHeldBack
            && !standing.departure.isUnderWay && activeNodes.allSatisfy { resources[$0] == wanted[$0] }
    }
}
