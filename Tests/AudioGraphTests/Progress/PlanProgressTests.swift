// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which plan follows which: every case of edits, fades and departures, without threads and without sound. Test thread.

import Testing

@testable import AudioGraph

@Suite struct PlanProgressTests {
    private let bench = ProgressBench()
    private let first: AudioMixerNode
    private let second: AudioMixerNode
    private let firstLink: GraphState.Link
    private let secondLink: GraphState.Link

    /// Two nodes play to the output, and are faded in.
    init() throws {
        (first, second) = (bench.node(), bench.node())
        firstLink = bench.link(first, bench.output)
        secondLink = bench.link(second, bench.output, bus: 1)
        try bench.start()
        let (first, second, links) = (first, second, [firstLink, secondLink])
        try bench.edit { graph in
            for node in [first, second] { graph.attach(node) }
            for link in links { graph.connect(link) }
        }
        bench.settle()
        try #require(bench.isFinal())
    }

    private var standing: PlanProgress.Standing { bench.progress.standing }

    private func plan() throws -> ProgressBench.Plan { try #require(bench.pending ?? bench.current) }

    private func renderAndLook(_ count: Int = 1) {
        for _ in 0..<count {
            bench.render()
            bench.look()
        }
    }

    /// Disconnects the first node.
    @discardableResult
    private func disconnectFirst() throws -> EditTicket { try bench.edit { $0.disconnectInput(bench.output, 0) } }

    // MARK: Edits and fades

    @Test func whatIsDisconnectedFadesOutAndTheFinalPlanFollows() throws {
        let ticket = try disconnectFirst()
        #expect(try plan().links.map(\.isLeaving).count { $0 } == 1 && standing.leaving.count == 1)
        #expect(bench.progress.pace == .soon)
        let count = bench.planCount
        renderAndLook(ProgressBench.fadeLength - 1)
        #expect(bench.planCount == count && ticket.sampleTime != nil)
        renderAndLook()
        #expect(bench.planCount == count + 1 && standing.leaving.isEmpty)
        #expect(try !plan().holds(firstLink))
        renderAndLook()
        #expect(bench.isFinal() && bench.progress.pace == .slow)
    }

    @Test func anEditWhileAFadeRunsIsHeardAtOnceAndBothFadesGoOn() throws {
        try disconnectFirst()
        let serial = standing.serial
        renderAndLook()
        let ticket = try bench.edit { $0.disconnectInput(bench.output, 1) }
        #expect(try plan().links.allSatisfy(\.isLeaving) && standing.leaving.map(\.serial) == [serial, serial + 1])
        renderAndLook()
        #expect(ticket.sampleTime == bench.cycle)
        // The first fade ends, the second one goes on.
        renderAndLook()
        #expect(standing.leaving.count == 1 && standing.leaving[0].link.state === secondLink.state)
        bench.settle()
        #expect(bench.isFinal())
    }

    @Test func whatHasNeverBeenHeardNeedsNoFade() throws {
        let node = bench.node()
        let link = bench.link(node, bench.output, bus: 2)
        try bench.edit { graph in
            graph.attach(node)
            graph.connect(link)
            graph.disconnectInput(bench.output, 2)
        }
        #expect(standing.leaving.isEmpty && standing.departed.isEmpty)
    }

    @Test func manyEditsWithinOneFadeAreHeardAndTheLastOneStays() throws {
        var tickets: [EditTicket] = []
        for round in 0..<20 {
            tickets.append(
                try bench.edit { round % 2 == 0 ? $0.disconnectInput(bench.output, 0) : $0.connect(firstLink) })
        }
        #expect(standing.leaving.isEmpty)
        #expect(try plan().links.allSatisfy { !$0.isLeaving })
        tickets.append(try disconnectFirst())
        bench.settle()
        #expect(bench.isFinal() && tickets.allSatisfy { $0.sampleTime != nil })
    }

    @Test func anEditThatBringsBackWhatIsLeavingEndsItsFade() throws {
        try disconnectFirst()
        renderAndLook(2)
        let level = bench.level(of: firstLink)
        #expect(level > 0 && level < ProgressBench.fadeLength)
        try bench.edit { $0.connect(firstLink) }
        #expect(standing.leaving.isEmpty)
        renderAndLook()
        #expect(bench.level(of: firstLink) == level + 1)
        bench.settle()
        #expect(bench.isFinal())
    }

    @Test func whatLeadsNowhereAnyMoreIsNotWaitedFor() throws {
        let inner = bench.node()
        let innerLink = bench.link(inner, first)
        try bench.edit { graph in
            graph.attach(inner)
            graph.connect(innerLink)
        }
        bench.settle()
        try disconnectFirst()
        bench.settle()
        // Nothing renders the inner connection, so it never fades.
        try bench.edit { $0.disconnectInput(first, 0) }
        #expect(bench.level(of: innerLink) > 0)
        bench.settle()
        #expect(standing.leaving.isEmpty && bench.isFinal())
    }

    // MARK: Detached nodes

    @Test func aDetachedNodeIsReleasedOnceNoPlanHoldsIt() throws {
        try bench.edit { $0.detach(first) }
        renderAndLook(ProgressBench.fadeLength)
        #expect(bench.released.isEmpty && !standing.departed.isEmpty)
        renderAndLook(2)
        #expect(bench.released == [first] && standing.departed.isEmpty)
    }

    @Test func aNodeThatIsAttachedAgainBeforeItsFadeIsOverIsNotReleased() throws {
        try bench.edit { $0.detach(first) }
        renderAndLook()
        let again = bench.link(first, bench.output)
        try bench.edit { graph in
            graph.attach(first)
            graph.connect(again)
        }
        // The old way fades out beside the new one.
        #expect(try plan().holds(firstLink) && plan().holds(again))
        bench.settle()
        #expect(bench.released.isEmpty && bench.isFinal())
    }

    @Test func aNodeIsReleasedAtOnceWhileNothingPlays() throws {
        bench.stop()
        let ticket = try bench.edit { $0.detach(first) }
        #expect(bench.released == [first] && ticket.sampleTime == nil)
    }

    // MARK: What cannot be heard at once

    /// The first node feeds the second one, and then the other way round.
    private func turnAround() throws -> (former: GraphState.Link, ticket: EditTicket) {
        let (forth, back) = (bench.link(first, second), bench.link(second, first))
        try bench.edit { graph in
            graph.disconnectInput(bench.output, 0)
            graph.connect(forth)
        }
        bench.settle()
        let ticket = try bench.edit { graph in
            graph.disconnectInput(second, 0)
            graph.disconnectInput(bench.output, 1)
            graph.connect(back)
            graph.connect(firstLink)
        }
        return (forth, ticket)
    }

    @Test func whatWouldFeedItselfIsHeldBackUntilTheFadeIsOver() throws {
        let (forth, ticket) = try turnAround()
        #expect(standing.isHeldBack)
        #expect(try plan().links.contains { $0.link.state === forth.state && $0.isLeaving })
        renderAndLook(ProgressBench.fadeLength - 1)
        #expect(standing.isHeldBack && ticket.sampleTime == nil)
        renderAndLook(2)
        #expect(!standing.isHeldBack && ticket.sampleTime == bench.cycle)
        bench.settle()
        #expect(bench.isFinal() && bench.told.isEmpty)
    }

    @Test func editsWhileOneIsHeldBackAreHeardWithIt() throws {
        let (_, ticket) = try turnAround()
        renderAndLook()
        let node = bench.node()
        let other = try bench.edit { graph in
            graph.attach(node)
            graph.connect(bench.link(node, bench.output, bus: 3))
        }
        #expect(standing.isHeldBack && other.sampleTime == nil)
        bench.settle()
        #expect(bench.isFinal() && other.sampleTime != nil && other.sampleTime == ticket.sampleTime)
    }

    @Test func latenciesThatChangeWhileAnEditIsHeldBackAreFollowedAfterwards() throws {
        _ = try turnAround()
        let count = bench.planCount
        bench.take(.latencies, latenciesHaveChanged: true)
        #expect(bench.planCount == count && standing.isHeldBack)
        bench.settle()
        let later = bench.planCount
        bench.take(.latencies, latenciesHaveChanged: true)
        #expect(bench.planCount == later + 1)
        bench.take(.latencies, latenciesHaveChanged: false)
        #expect(bench.planCount == later + 1)
    }

    @Test func aUnitThatNeedsOtherMemoryLeavesFirstAndTheNewGraphFollows() throws {
        bench.wanted[first] = 2
        let ticket = try bench.edit { _ in }
        guard case .fading(let nodes) = standing.departure else { throw Failure.noDeparture }
        #expect(nodes == [first] && standing.isHeldBack && bench.resources[first] == 1)
        #expect(try plan().links.filter(\.isLeaving).map { ObjectIdentifier($0.link.state) } == [ObjectIdentifier(firstLink.state)])
        // The rest plays on.
        renderAndLook(ProgressBench.fadeLength)
        guard case .leaving = standing.departure else { throw Failure.noDeparture }
        #expect(try !plan().holds(first) && plan().holds(second) && bench.resources[first] == 1)
        renderAndLook()
        #expect(!standing.departure.isUnderWay && bench.resources[first] == 2 && ticket.sampleTime == nil)
        renderAndLook()
        #expect(bench.isFinal() && ticket.sampleTime == bench.cycle)
    }

    @Test func anEditDuringADepartureWaitsAndIsHeardWithIt() throws {
        bench.wanted[first] = 2
        let ticket = try bench.edit { _ in }
        renderAndLook()
        // Another unit needs other memory, and a connection goes: both wait.
        bench.wanted[second] = 2
        let count = bench.planCount
        let other = try disconnectFirst()
        #expect(bench.planCount == count)
        bench.settle()
        #expect(bench.isFinal() && ticket.sampleTime != nil && other.sampleTime != nil)
        #expect(bench.resources[second] == 2)
    }

    @Test func aDepartureThatIsWantedNoMoreGoesOn() throws {
        bench.wanted[first] = 2
        try bench.edit { _ in }
        renderAndLook()
        bench.wanted[first] = 1
        try bench.edit { $0.detach(first) }
        bench.settle()
        #expect(bench.isFinal() && bench.released == [first])
    }

    // MARK: Stops

    enum Moment: CaseIterable { case calm, fading, heldBack, departureFading, departureLeaving, detached, failed }

    @Test(arguments: Moment.allCases) func aStopAtAnyTimeLetsEverythingGo(at moment: Moment) throws {
        var ticket: EditTicket?
        switch moment {
        case .calm: break
        case .fading: ticket = try disconnectFirst()
        case .heldBack: ticket = try turnAround().ticket
        case .departureFading, .departureLeaving:
            bench.wanted[first] = 2
            ticket = try bench.edit { _ in }
            if moment == .departureLeaving { renderAndLook(ProgressBench.fadeLength) }
        case .detached:
            ticket = try bench.edit { $0.detach(first) }
            renderAndLook()
        case .failed:
            ticket = try turnAround().ticket
            bench.failingPlans = 1000
            renderAndLook(10)
            bench.failingPlans = 0
        }
        bench.stop()
        #expect(standing.leaving.isEmpty && standing.departed.isEmpty && !standing.departure.isUnderWay)
        #expect(!standing.isHeldBack && standing.serial == 0 && bench.progress.failure == nil)
        #expect(bench.released == (moment == .detached ? [first] : []))
        // What was not heard is heard after the next start.
        try bench.start()
        bench.settle()
        #expect(bench.isFinal() && ticket.map { $0.sampleTime != nil } ?? true)
    }

    @Test func aStartAfterAPauseEndsADeparture() throws {
        bench.wanted[first] = 2
        try bench.edit { _ in }
        try bench.start()
        #expect(!standing.departure.isUnderWay && !standing.isHeldBack)
    }

    private enum Failure: Error { case noDeparture }
}
