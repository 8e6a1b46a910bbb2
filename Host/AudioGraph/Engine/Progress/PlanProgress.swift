// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Decides which plan follows which: a value with one step, without thread, player or clock. Any thread but the render thread.

import Rendering

/// Leads an engine from one plan to the next: it plays one graph, fades connections out, and lets edits wait for that.
///
/// `step` takes an event, and returns actions. The engine carries them out, and answers with the next event. All decisions are made here.
///
/// A plan counts once the player has it: a plan that fails leaves everything unchanged, and is tried again.
struct PlanProgress {
    private(set) var standing = Standing()
    private(set) var waiting: [Waiting] = []
    /// The highest number of a plan that is known to be heard.
    private(set) var heard: UInt64 = 0
    /// The error of the last plan; nil if it succeeded.
    private(set) var failure: AudioEngineError?
    private var isWiring = false
    /// The error of the last wiring of rows.
    private var wiringFailure: AudioEngineError?
    /// The error of the rows that the last plan lacks.
    private var rowFailure: AudioEngineError?
    /// The earliest time of a new plan for changed latencies, in CLOCK_MONOTONIC nanoseconds.
    private var latencyTime: UInt64 = 0
    private var attempt: Attempt?

    /// Takes an event, and returns actions to carry out in this order.
    ///
    /// `newest` is the graph after the last edit. Only the last of the actions is answered by another event.
    mutating func step(_ event: Event, _ newest: GraphState) -> [Action] {
        switch event {
        case .opened: open()
        case .stopped: stop()
        case .started(let isFaded): start(newest, isFaded: isFaded)
        case .edited(let edit): take(edit, newest)
        case .prepared: attempt.map { [.play($0.plan)] } ?? []
        case .notPrepared(let error): goOnWithoutResources(error)
        case .handedOver(let receipt): keep(receipt)
        case .refused(let error): fallBack(error)
        case .heard(let serial, let times): hear(serial, times)
        case .faded(let connections): fade(connections, newest)
        case .plansInUse(let count): releaseDeparted(count)
        case .nodesInUse(let nodes): giveBackChanging(nodes)
        case .gaveBack(let changing): followDeparture(changing, newest)
        case .latencies(let haveChanged, let time): followLatencies(haveChanged, time, newest)
        case .plain(let connections): join(connections, newest)
        case .wanting(let rows): wire(rows)
        case .wired: endWiring(nil)
        case .notWired(let error): endWiring(error)
        }
    }

    /// The time until the engine looks again.
    var pace: Pace {
        if failure != nil { return .slow }
        let isBusy =
            !standing.leaving.isEmpty || !standing.departed.isEmpty || standing.departure.isUnderWay || !standing.joining.isEmpty
            || !waiting.isEmpty
        // A failed wiring is not urgent: the units are heard all the same, through the host.
        let isToBeWired = wiringFailure == nil && !standing.unwired.isEmpty
        return isBusy || isToBeWired ? .soon : .slow
    }
}

// MARK: - Attempts

extension PlanProgress {
    /// A plan on its way to the player, and the standing after its arrival.
    private struct Attempt {
        enum Cause {
            case edit([EditTicket])
            case start
            /// A consequence of an edit, such as the end of a fade.
            case followUp
        }

        let cause: Cause
        var next: Standing
        var plan: NextPlan
        let newest: GraphState
    }

    /// Compiles the newest graph.
    private mutating func play(
        _ newest: GraphState, _ next: Standing, for cause: Attempt.Cause, isFaded: Bool = true
    ) -> [Action] {
        let plan = NextPlan(newest, after: next, isFaded: isFaded)
        attempt = Attempt(cause: cause, next: next, plan: plan, newest: newest)
        return [.play(plan)]
    }

    /// Compiles the present graph again, without the parts that have to leave it; the newest one is held back.
    private mutating func playFormer(
        _ newest: GraphState, _ next: Standing, for cause: Attempt.Cause, without changing: [AudioNode] = [],
        gone: Set<ObjectIdentifier> = []
    ) -> [Action] {
        let plan = NextPlan(holdingBack: newest, after: next, without: changing, gone: gone)
        attempt = Attempt(cause: cause, next: next, plan: plan, newest: newest)
        return [.play(plan)]
    }

    /// Makes the attempt's standing the present one, because the player has the plan.
    private mutating func keep(_ receipt: Receipt) -> [Action] {
        guard let attempt else { return [] }
        var next = attempt.next
        (next.serial, next.isHeldBack) = (receipt.serial, attempt.plan.isHeldBack)
        (next.connections, next.joining, next.unwired) = (receipt.connections, receipt.joining, receipt.rows)
        if case .edit(let tickets) = attempt.cause { waiting += tickets.map { Waiting(ticket: $0) } }
        if !next.isHeldBack {
            next.graph = attempt.plan.graph
            next.leaving.removeAll { attempt.plan.graph.holds($0.link) }
            for index in waiting.indices where waiting[index].serial == nil { waiting[index].serial = receipt.serial }
        }
        (standing, self.attempt, failure) = (next, nil, nil)
        return tell(receipt.rowFailure)
    }

    /// Rows that could not be made are tried again with each plan, and the program is told once: it hears the same without them.
    private mutating func tell(_ error: AudioEngineError?) -> [Action] {
        defer { rowFailure = error }
        guard let error, error != rowFailure else { return [] }
        return [.tell(error, [])]
    }

    /// Lets the present graph go on until its leaving connections have faded out; they and the new ones would feed each other.
    ///
    /// If nothing leaves, there is nothing to wait for. The present graph may have no plan either, because a unit in it has got its
    /// resources meanwhile. Then the leaving connections end without a fade.
    private mutating func fallBack(_ error: AudioEngineError) -> [Action] {
        guard let attempt, !attempt.next.departure.isUnderWay else { return giveUp(error) }
        if attempt.plan.isHeldBack {
            var next = attempt.next
            next.leaving = []
            return play(attempt.newest, next, for: attempt.cause)
        }
        if attempt.plan.leaving.isEmpty { return giveUp(error) }
        return playFormer(attempt.newest, attempt.next, for: attempt.cause)
    }

    /// Leaves everything as it was.
    private mutating func giveUp(_ error: AudioEngineError) -> [Action] {
        guard let cause = attempt?.cause else { return [] }
        attempt = nil
        guard case .followUp = cause else { return [.refuse(error)] }
        // The plan is tried again, and its error reported once.
        defer { failure = error }
        return failure == error ? [] : [.tell(error, unheard)]
    }

    /// Refuses an edit or a start; a follow-up of an edit goes on with stand-ins for nodes that refuse, and without failed ones.
    private mutating func goOnWithoutResources(_ error: AudioEngineError) -> [Action] {
        guard let attempt else { return [] }
        guard case .followUp = attempt.cause else { return giveUp(error) }
        return [.tell(error, unheard)] + [.play(attempt.plan)]
    }

    /// The tickets of the edits that are in no plan yet.
    private var unheard: [EditTicket] { waiting.filter { $0.serial == nil }.map(\.ticket) }
}

// MARK: - Starts, stops and edits

extension PlanProgress {
    /// Starts with a player that has no plan; it counts its plans anew.
    private mutating func open() -> [Action] {
        let actions = stop()
        standing.isPlaying = true
        return actions
    }

    private mutating func stop() -> [Action] {
        let departed = standing.departed.values.map(\.node)
        for index in waiting.indices { waiting[index].serial = nil }
        (standing, heard, latencyTime) = (Standing(), 0, 0)
        (attempt, failure, wiringFailure, rowFailure) = (nil, nil, nil, nil)
        return departed.isEmpty ? [] : [.release(departed)]
    }

    /// Starts while nothing renders: units that had to leave the present graph may get their resources at once.
    private mutating func start(_ newest: GraphState, isFaded: Bool) -> [Action] {
        var next = standing
        next.departure = .none
        return play(newest.settled, next, for: .start, isFaded: isFaded)
    }

    private mutating func take(_ edit: Edit, _ newest: GraphState) -> [Action] {
        guard standing.isPlaying else {
            waiting += edit.tickets.map { Waiting(ticket: $0) }
            return newest.detached.isEmpty ? [] : [.release(newest.detached.map(\.node))]
        }
        var next = standing
        next.leave(newest, from: edit.nextSerial)
        // Only one departure at a time is possible: the edit waits for the present one.
        guard case .none = standing.departure else {
            standing = next
            waiting += edit.tickets.map { Waiting(ticket: $0) }
            return []
        }
        return depart(edit.changing, newest.settled, next, for: .edit(edit.tickets))
    }

    /// Fades out nodes that need other resources or another rate; without such nodes all take their resources, and the graph plays.
    private mutating func depart(
        _ changing: [AudioNode], _ newest: GraphState, _ next: Standing, for cause: Attempt.Cause
    ) -> [Action] {
        var next = next
        guard changing.isEmpty else {
            next.departure = .fading(changing)
            return playFormer(newest, next, for: cause, without: changing)
        }
        _ = play(newest, next, for: cause)
        // A follow-up has no caller to throw a refusal to.
        if case .followUp = cause { return [.prepare(leavesOut: true)] }
        return [.prepare(leavesOut: false)]
    }
}

extension PlanProgress.Standing {
    /// Fades out the connections that an edit has broken, and keeps the records of the nodes that it has detached.
    mutating func leave(_ newest: GraphState, from nextSerial: UInt64) {
        // A connection that was never played need not fade. One that left before may have come back meanwhile, and have been broken again.
        let audible = newest.broken.filter { link in
            !newest.holds(link) && (graph?.holds(link) != false || leaving.contains { $0.link.state === link.state })
        }
        leaving.removeAll { former in audible.contains { $0.state === former.link.state } }
        leaving += audible.map { PlanProgress.Leaving(link: $0, serial: nextSerial) }
        for record in newest.detached { departed[ObjectIdentifier(record.node)] = record }
    }
}

// MARK: - Heard plans and finished fades

extension PlanProgress {
    /// The numbers of the plans that tickets wait for.
    var awaited: Set<UInt64> { Set(waiting.compactMap(\.serial)) }

    private mutating func hear(_ serial: UInt64, _ times: [UInt64: Int64]) -> [Action] {
        heard = serial
        var due: [Action] = []
        waiting.removeAll { waiting in
            guard let number = waiting.serial, number <= serial, let time = times[number] else { return false }
            due.append(.resolve(waiting.ticket, at: time))
            return true
        }
        return due
    }

    /// Removes connections that are inaudible.
    ///
    /// `inaudible` are the faded connections among those of the last plan and the leaving ones.
    private mutating func fade(_ inaudible: Set<ObjectIdentifier>, _ newest: GraphState) -> [Action] {
        var next = standing
        switch standing.departure {
        case .leaving, .gone: return []
        case .fading(let changing):
            let fading = Set(standing.connections.lazy.filter(\.isLeaving).map(\.state))
            guard heard >= standing.serial, fading.isSubset(of: inaudible) else { return [] }
            // A connection that an edit has broken meanwhile has not been fading: it leaves now.
            next.departure = .leaving(changing)
            next.leaving.removeAll { fading.contains(ObjectIdentifier($0.link.state)) }
            return playFormer(newest, next, for: .followUp, gone: fading)
        case .none:
            guard !standing.leaving.isEmpty else { return [] }
            // While a graph is held back, the present plan has all connections that the graph lacks.
            let leftAt = standing.isHeldBack ? standing.serial : 0
            let held = Set(standing.connections.map(\.state))
            next.leaving.removeAll { leaving in
                let state = ObjectIdentifier(leaving.link.state)
                // A connection that is in no plan any more, because nothing leads on from it, is not rendered and never fades.
                return max(leaving.serial, leftAt) <= heard && (inaudible.contains(state) || !held.contains(state))
            }
            return next.leaving.count < standing.leaving.count ? play(newest, next, for: .followUp) : []
        }
    }

    /// True if detached nodes wait for the last plan that may hold them to come back.
    var awaitsPlans: Bool {
        guard case .none = standing.departure else { return false }
        return standing.leaving.isEmpty && !standing.departed.isEmpty && heard >= standing.serial
    }

    /// Releases detached nodes, once the player holds only the last plan.
    private mutating func releaseDeparted(_ planCount: Int) -> [Action] {
        guard awaitsPlans, planCount <= 1 else { return [] }
        defer { standing.departed = [:] }
        return [.release(standing.departed.values.map(\.node))]
    }
}

// MARK: - Nodes that need other resources or another rate

extension PlanProgress {
    /// True if nodes wait until no plan holds them, or the graph after that waits.
    var awaitsNodes: Bool {
        switch standing.departure {
        case .none, .fading: false
        case .leaving, .gone: heard >= standing.serial
        }
    }

    /// Lets nodes give their resources back, once no plan holds them.
    private mutating func giveBackChanging(_ inUse: Set<ObjectIdentifier>) -> [Action] {
        guard awaitsNodes else { return [] }
        // A follow-up plan that has failed is tried again.
        guard case .leaving(let changing) = standing.departure else { return [.giveBack([])] }
        guard changing.allSatisfy({ !inUse.contains(ObjectIdentifier($0)) }) else { return [] }
        standing.departure = .gone
        return [.giveBack(changing)]
    }

    /// Plays the newest graph; an edit may have made other nodes change meanwhile.
    private mutating func followDeparture(_ changing: [AudioNode], _ newest: GraphState) -> [Action] {
        guard case .gone = standing.departure else { return [] }
        var next = standing
        next.departure = .none
        return depart(changing, newest, next, for: .followUp)
    }
}

// MARK: - Latencies and rows

extension PlanProgress {
    /// The shortest time between two plans that follow latencies, in nanoseconds.
    static let latencyInterval: UInt64 = 100_000_000

    /// True if a new plan may change more than fades: nothing departs, and nothing is held back.
    private var isFree: Bool { !standing.departure.isUnderWay && !standing.isHeldBack && standing.isPlaying }

    /// Aligns the paths anew if a unit's latency has changed.
    ///
    /// A unit may change it with every block. Each look costs the engine one plan at most, so there are at most ten looks a second.
    private mutating func followLatencies(_ haveChanged: Bool, _ time: UInt64?, _ newest: GraphState) -> [Action] {
        if let time {
            guard time >= latencyTime else { return [] }
            latencyTime = time + Self.latencyInterval
        }
        return isFree && haveChanged ? play(newest, standing, for: .followUp) : []
    }

    /// Makes rows of units between which everything has faded in.
    private mutating func join(_ plain: Set<ObjectIdentifier>, _ newest: GraphState) -> [Action] {
        let joining = standing.joining
        guard isFree, !joining.isEmpty, joining.allSatisfy({ plain.contains(ObjectIdentifier($0)) }) else { return [] }
        return play(newest, standing, for: .followUp)
    }

    /// Wires rows whose plan is rendered, unless a wiring is under way.
    private mutating func wire(_ wanting: Set<ObjectIdentifier>) -> [Action] {
        guard heard >= standing.serial else { return [] }
        standing.unwired.removeAll { !wanting.contains($0) }
        guard !isWiring, !standing.unwired.isEmpty else { return [] }
        isWiring = true
        return [.wire(standing.unwired)]
    }

    /// Ends a wiring; after an error it is tried again, and the error is reported once.
    private mutating func endWiring(_ error: AudioEngineError?) -> [Action] {
        defer { (isWiring, wiringFailure) = (false, error) }
        guard let error, error != wiringFailure else { return [] }
        return [.tell(error, [])]
    }
}
