// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit that overruns loses its rank and its place on the render core, and whoever shares the core renders on.

import AudioUnits
import FoundationEssentials
import Glibc
import LinuxSystem
import RealtimeKit
import Synchronization
import Testing

@testable import PluginHosting

@Suite(.serialized, .timeLimit(.minutes(1))) struct RenderSeatTests {
    /// Where a thread is and how it ranks.
    private struct Place: Equatable {
        var isRealtime: Bool
        var processors: Set<Int>

        init(_ isRealtime: Bool, _ processors: Set<Int>) { (self.isRealtime, self.processors) = (isRealtime, processors) }

        init(of thread: Int32) {
            isRealtime = (Scheduling.schedulingClass(ofThread: thread)?.realtimePriority ?? 0) > 0
            processors = Scheduling.processors(ofThread: thread)
        }
    }

    private static let all = Scheduling.processors(ofThread: 0)
    private static let renderCore = all.max() ?? 0
    private static let seated = Place(true, [renderCore])
    /// On a machine with one processor there is no other place.
    private static let unseated = Place(false, all.count > 1 ? all.subtracting([renderCore]) : all)

    /// Without ranks nobody can starve anybody.
    private static let isPossible = Stage.hasRealtimeRanks

    /// The last of three ranks highest, so that nobody else on its processor would ever run.
    private func stage() throws -> Stage {
        let stage = try Stage(try (0..<3).map { _ in try Build.unit("Misbehaver") }, input: DeathTests.sine)
        try stage.start(processor: Self.renderCore)
        return stage
    }

    @Test(.enabled(if: isPossible, "this user may not have real-time ranks")) func aUnitThatLoopsLosesItsSeatAtOnceAndGetsItBack()
        throws
    {
        let stage = try stage()
        let thread = try #require(stage.chain.members[2].unit.renderThread)
        #expect(Place(of: thread) == Self.seated)
        let sent = MonotonicClock.now()
        try stage.chain.members[2].unit.send(MIDIMessage(0xB0, 4, 50))
        #expect(waitUntil(milliseconds: 400) { Place(of: thread) == Self.unseated })
        let milliseconds = Double(MonotonicClock.now() - sent) / 1e6
        print("A looping unit lost its seat \(milliseconds) ms after the order to loop.")
        let faults = stage.chain.members[2].faults
        #expect(waitUntil(milliseconds: 5000) { faults.records.first?.recoveredAfterCycles != nil })
        #expect(Place(of: thread) == Self.seated, "\(faults.records.map { ($0.fault, $0.cycle, $0.recoveredAfterCycles) })")
        stage.stop()
        #expect(faults.restarts == 0)
    }

    /// Beginning and burying processes takes milliseconds in the kernel, which not every kernel interrupts.
    @Test(.enabled(if: isPossible && all.count > 1, "that takes real-time ranks and two processors"))
    func whatLooksAfterTheUnitsStaysAwayFromTheRenderCore() throws {
        let before = Set(Scheduling.threads(ofProcess: getpid()))
        let stage = try stage()
        stage.chain.members[1].unit.processIdentifier.map { _ = kill($0, SIGKILL) }
        #expect(waitUntil(milliseconds: 2000) { stage.chain.members[1].faults.restarts == 1 })
        let threads = Scheduling.threads(ofProcess: getpid()).filter { !before.contains($0) }
        let watchers = threads.filter { thread in
            let name = (try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)) ?? ""
            return ["supervisor\n", "state keeper\n"].contains(name)
        }
        #expect(watchers.count == 2)
        for watcher in watchers { #expect(!Scheduling.processors(ofThread: watcher).contains(Self.renderCore)) }
        let started = try #require(stage.chain.members[1].unit.processIdentifier)
        #expect(!Scheduling.processors(ofThread: started).contains(Self.renderCore))
        stage.stop()
    }

    @Test(.enabled(if: isPossible, "this user may not have real-time ranks")) func whoSharesTheCoreWithAUnitThatLoopsRendersOn()
        throws
    {
        let stage = try stage()
        func blocks(_ index: Int) -> UInt64 { stage.chain.members[index].renderer.pointee.region.completedSequence.load() }
        try stage.chain.members[2].unit.send(MIDIMessage(0xB0, 4, 120))
        stage.pause(milliseconds: 100)
        let (cycles, first, second, last) = (stage.chain.cycleCount, blocks(0), blocks(1), blocks(2))
        stage.pause(milliseconds: 900)
        let played = stage.chain.cycleCount - cycles
        #expect(blocks(2) == last, "the last unit was to loop all the time")
        // Starved, they would have been late in the first of these cycles, and have rendered nothing since.
        for (index, before) in [first, second].enumerated() {
            let rendered = blocks(index) - before
            print("Unit \(index) rendered \(rendered) blocks of \(played) beside a unit that loops.")
            #expect(rendered > played * 9 / 10)
        }
        stage.stop()
    }

    /// They begin where the render thread is that starts them.
    @Test(.enabled(if: isPossible && all.count > 1, "that takes real-time ranks and two processors"))
    func theThreadsThatARenderThreadStartsLeaveTheRenderCore() throws {
        let stage = try stage()
        let unit = stage.chain.members[1].unit
        let (process, renderThread) = try (#require(unit.processIdentifier), #require(unit.renderThread))
        func others() -> [Int32] { Scheduling.threads(ofProcess: process).filter { $0 != renderThread } }
        let before = others().count
        try unit.send(MIDIMessage(0xB0, MisbehaviourTests.Fault.busyThreads.rawValue, 0))
        #expect(waitUntil(milliseconds: 1000) { others().count == before + 4 })
        #expect(
            waitUntil(milliseconds: 2000) { others().allSatisfy { !Scheduling.processors(ofThread: $0).contains(Self.renderCore) } }
        )
        #expect(Place(of: renderThread) == Self.seated)
        stage.stop()
    }

    /// What a seat says of itself; the seat cannot be copied into an expectation.
    private func standing(_ seat: borrowing RenderSeat) -> [Bool] { [seat.isSeated, seat.isToBeMoved] }

    @Test func aSeatIsLostAndRegainedInOrderWhateverComesBetween() {
        let seat = RenderSeat()
        var seen: [[Bool]] = []
        let nothing = seat.claim()
        seen.append(standing(seat))
        let isLost = seat.lose()
        seen.append(standing(seat))
        #expect(!nothing && isLost && seen == [[true, false], [false, false]], "nothing was lost before")
        // Answered before its rank was taken: it can only be claimed after that.
        let tooEarly = seat.claim()
        let again = seat.lose()
        seat.takeRank()
        seen = [standing(seat)]
        let isClaimed = seat.claim()
        seen.append(standing(seat))
        _ = seat.move()
        seen.append(standing(seat))
        #expect(!tooEarly && !again && isClaimed && seen == [[false, true], [false, true], [true, false]])
        _ = seat.lose()
        seat.takeRank()
        _ = seat.move()
        seen = [standing(seat)]
        let isClaimedFromAfar = seat.claim()
        // The watch has no part in it.
        seat.takeRank()
        seen.append(standing(seat))
        _ = seat.move()
        seen.append(standing(seat))
        #expect(isClaimedFromAfar && seen == [[false, false], [false, true], [true, false]])
        _ = seat.lose()
        seat.forgive()
        seen = [standing(seat)]
        #expect(seen == [[true, false]])
    }

    @Test func aBarredSeatCannotBeClaimed() {
        let seat = RenderSeat()
        seat.bar()
        _ = seat.move()
        let isClaimed = seat.claim()
        #expect(!isClaimed && standing(seat) == [false, false])
        seat.unbar()
        #expect(standing(seat) == [false, true])
        _ = seat.move()
        #expect(standing(seat) == [true, false])
        // It was about to have its rank again.
        _ = seat.lose()
        seat.takeRank()
        _ = seat.claim()
        seat.bar()
        _ = seat.move()
        #expect(standing(seat) == [false, false])
        // A new process has done nothing yet.
        seat.forgive()
        #expect(seat.isSeated && !seat.isBarred)
    }
}

extension RenderSeat {
    /// Moves a thread for which nothing has been asked.
    fileprivate func move() -> Bool {
        var wish: RankWish?
        return move(&wish)
    }
}
