// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a progress does when a plan, resources or a wiring fail; and rows, which are joined and wired in their time. Test thread.

import Testing

@testable import AudioGraph

@Suite struct PlanFailureTests {
    private let bench = ProgressBench()
    private let node: AudioMixerNode
    private let link: GraphState.Link

    init() throws {
        node = bench.node()
        link = bench.link(node, bench.output)
        try bench.start()
        let (node, link) = (node, link)
        try bench.edit { graph in
            graph.attach(node)
            graph.connect(link)
        }
        bench.settle()
    }

    private var standing: PlanProgress.Standing { bench.progress.standing }

    /// What decides on the next plan, in words.
    private var summary: String {
        let standing = standing
        return "\(standing.serial) \(standing.isHeldBack) \(standing.departure) \(standing.departed.count) "
            + "\(standing.leaving.map(\.serial)) \(standing.graph.map { $0.holds(link) } as Any) \(bench.progress.waiting.count)"
    }

    @Test func anEditThatHasNoPlanLeavesEverythingAsItWas() throws {
        let before = summary
        for failingPlans in [1, 3] {
            bench.failingPlans = failingPlans
            // The newest graph; where something fades the one that plays, too, and the newest one without what fades.
            #expect(throws: AudioEngineError.cycle(nodes: [NamedNode("injected")])) {
                try bench.edit { failingPlans == 1 ? $0.attach(bench.node()) : $0.detach(node) }
            }
            #expect(summary == before && bench.isFinal() && bench.failingPlans == 0)
        }
        #expect(bench.told.isEmpty && bench.progress.failure == nil)
    }

    /// Neither the newest graph nor the one that plays has a plan with what fades in it.
    @Test func whatCannotEvenBeHeldBackIsHeardWithoutAFade() throws {
        bench.failingPlans = 2
        let ticket = try bench.edit { $0.detach(node) }
        #expect(standing.leaving.isEmpty && !standing.isHeldBack && bench.pending?.links.isEmpty == true)
        bench.settle()
        #expect(bench.isFinal() && ticket.sampleTime != nil && bench.released == [node] && bench.told.isEmpty)
    }

    @Test func anEditWhoseDepartureHasNoPlanLeavesEverythingAsItWas() throws {
        let before = summary
        bench.failingPlans = 1
        #expect(throws: AudioEngineError.cycle(nodes: [NamedNode("injected")])) {
            try bench.edit { _ in bench.wanted[node] = 2 }
        }
        #expect(summary == before && bench.resources[node] == 1 && bench.isFinal())
    }

    @Test func anEditWhoseNodesGetNoResourcesLeavesEverythingAsItWas() throws {
        let before = summary
        bench.failingPreparations = 1
        #expect(throws: AudioEngineError.driver(reason: "no memory")) { try bench.edit { $0.detach(node) } }
        #expect(summary == before && bench.isFinal())
    }

    @Test func aPlanThatFollowsAFadeIsTriedAgainAndItsFailureToldOnce() throws {
        try bench.edit { $0.detach(node) }
        bench.failingPlans = 10
        for _ in 0..<12 {
            bench.render()
            bench.look()
        }
        #expect(bench.told == [.cycle(nodes: [NamedNode("injected")])] && bench.progress.failure != nil)
        #expect(bench.progress.pace == .slow && bench.released.isEmpty && standing.leaving.count == 1)
        bench.settle()
        #expect(bench.isFinal() && bench.progress.failure == nil && bench.released == [node])
        #expect(bench.told.count == 1)
    }

    @Test func rowsThatCannotBeMadeAreToldOnceAndTheEditIsHeard() throws {
        let error = AudioEngineError.driver(reason: "no memory for a row")
        bench.rowFailure = error
        let tickets = try (0..<3).map { _ in try bench.edit { $0.attach(bench.node()) } }
        #expect(bench.told == [error])
        bench.settle()
        #expect(bench.isFinal() && tickets.allSatisfy { $0.sampleTime != nil && $0.failure == nil })
        // A failure that comes back is told again.
        for failure in [nil, error] {
            bench.rowFailure = failure
            try bench.edit { $0.attach(bench.node()) }
        }
        #expect(bench.told == [error, error])
    }

    /// The edit is accepted, and nobody waits for an error any more: its ticket has it.
    @Test func theTicketOfAnEditThatWaitsTellsWhyItIsNotHeard() throws {
        bench.wanted[node] = 2
        let ticket = try bench.edit { _ in }
        bench.failingPlans = 5
        for _ in 0..<7 {
            bench.render()
            bench.look()
        }
        #expect(ticket.sampleTime == nil && ticket.failure == .cycle(nodes: [NamedNode("injected")]))
        bench.settle()
        #expect(bench.isFinal() && ticket.sampleTime != nil)
    }

    /// Every plan on the way of a departure fails in turn.
    @Test(arguments: 1...4) func aDepartureSurvivesAFailureAtEachOfItsPlans(step: Int) throws {
        bench.wanted[node] = 2
        let ticket = try bench.edit { _ in }
        for cycle in 1...8 {
            if cycle == step + 1 { bench.failingPlans = 3 }
            bench.render()
            bench.look()
        }
        bench.settle()
        #expect(bench.isFinal() && ticket.sampleTime != nil && bench.resources[node] == 2)
    }

    /// An edit throws if a node refuses.
    ///
    /// The step after a departure leaves that node out.
    @Test func onlyWhatFollowsFromAnEditLeavesNodesOut() throws {
        let count = bench.preparations.count
        try bench.edit { $0.attach(bench.node()) }
        bench.wanted[node] = 2
        try bench.edit { _ in }
        bench.settle()
        #expect(bench.preparations[count...] == [false, true] && bench.isFinal())
    }

    @Test func aUnitWithoutResourcesAfterADepartureIsToldAndTheRestPlays() throws {
        bench.wanted[node] = 2
        let ticket = try bench.edit { _ in }
        bench.failingPreparations = 1
        bench.settle()
        #expect(bench.told == [.driver(reason: "no memory")] && ticket.failure == .driver(reason: "no memory"))
        // The unit is in no plan, and the edit is heard without it.
        #expect(ticket.sampleTime != nil && !standing.departure.isUnderWay && !standing.isHeldBack)
    }

    // MARK: Rows

    @Test func unitsAreJoinedOnlyWhenEverythingBetweenThemIsPlain() throws {
        let other = bench.node()
        let between = bench.link(other, node)
        bench.joining = [between.state]
        try bench.edit { graph in
            graph.attach(other)
            graph.connect(between)
        }
        let count = bench.planCount
        for _ in 0..<(ProgressBench.fadeLength - 1) {
            bench.render()
            bench.look([.plan, .joining])
            #expect(bench.planCount == count && bench.progress.pace == .soon)
        }
        bench.render()
        bench.joining = [between.state]
        bench.look([.plan, .joining])
        #expect(bench.planCount == count + 1)
    }

    @Test func unitsAreNotJoinedWhileAnotherUnitDeparts() throws {
        let other = bench.node()
        let between = bench.link(other, node)
        bench.joining = [between.state]
        try bench.edit { graph in
            graph.attach(other)
            graph.connect(between)
        }
        for _ in 0..<5 { bench.render() }
        bench.wanted[node] = 2
        try bench.edit { _ in }
        let count = bench.planCount
        bench.look([.plan, .joining])
        #expect(bench.planCount == count && standing.departure.isUnderWay)
    }

    @Test func rowsAreWiredOnceTheirPlanIsHeardAndOneAtATime() throws {
        let row = AudioMixerNode()
        bench.rows = [ObjectIdentifier(row)]
        try bench.edit { $0.disconnectInput(bench.output, 0) }
        bench.look([.plan, .rows])
        #expect(bench.wired.isEmpty)
        bench.render()
        bench.look([.plan, .rows, .rows])
        #expect(bench.wired == [[ObjectIdentifier(row)]])
        // A unit has not answered.
        bench.look([.wired, .rows])
        #expect(bench.wired.count == 2)
        bench.rows = []
        bench.look([.wired, .rows])
        #expect(bench.wired.count == 2 && standing.unwired.isEmpty)
    }

    @Test func rowsThatCannotBeWiredAreTriedAgainAndToldOnce() throws {
        bench.rows = [ObjectIdentifier(node)]
        bench.failsToWire = true
        bench.take(.latencies, latenciesHaveChanged: true)
        bench.render()
        for _ in 0..<5 { bench.look([.plan, .rows]) }
        #expect(bench.wired.count == 5 && bench.told == [.driver(reason: "no thread")] && bench.progress.pace == .slow)
        bench.failsToWire = false
        bench.look([.rows])
        bench.rows = []
        bench.look([.wired, .rows])
        #expect(standing.unwired.isEmpty && bench.told.count == 1)
    }
}
