// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit that overruns loses its rank and its placement on the render core, and the units that share the core render on.

import AudioUnits
import FoundationEssentials
import Glibc
import LinuxSystem
import RTKit
import Synchronization
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("uses real-time ranks"), .serialized, .timeLimit(.minutes(1))) struct ThreadPlacementTests {
    /// The processors and the rank of a thread.
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
    private static let placed = Place(true, [renderCore])
    /// On a machine with one processor there is no other one.
    private static let unplaced = Place(false, all.count > 1 ? all.subtracting([renderCore]) : all)

    /// Without ranks no thread can starve another.
    private static let isPossible = Stage.hasRealtimeRanks

    /// A stage whose last unit has the highest of three ranks, so that a loop of it would starve the others on its processor.
    private func stage() throws -> Stage {
        let stage = try Stage(try (0..<3).map { _ in try Build.unit("Misbehaver") }, input: DeathTests.sine)
        try stage.start(processor: Self.renderCore)
        return stage
    }

    @Test(.enabled(if: isPossible, "this user may not have real-time ranks")) func aUnitThatLoopsLosesItsSeatAtOnceAndGetsItBack()
        throws
    {
        let stage = try stage()
        let thread = try #require(stage.row.members[2].unit.renderThread)
        #expect(Place(of: thread) == Self.placed)
        let sent = MonotonicClock.now()
        try stage.row.members[2].unit.send(MIDIMessage(0xB0, 4, 50))
        #expect(waitUntil(milliseconds: 400) { Place(of: thread) == Self.unplaced })
        let milliseconds = Double(MonotonicClock.now() - sent) / 1e6
        print("A looping unit lost its placement \(milliseconds) ms after the order to loop.")
        let faults = stage.row.members[2].faults
        #expect(waitUntil(milliseconds: 5000) { faults.records.first?.recoveredAfterCycles != nil })
        #expect(Place(of: thread) == Self.placed, "\(faults.records.map { ($0.fault, $0.cycle, $0.recoveredAfterCycles) })")
        stage.stop()
        #expect(faults.restarts == 0)
    }

    /// Starting and reaping processes takes milliseconds in the kernel, which not every kernel can preempt.
    @Test(.enabled(if: isPossible && all.count > 1, "that takes real-time ranks and two processors"))
    func whatLooksAfterTheUnitsStaysAwayFromTheRenderCore() throws {
        let before = Set(Scheduling.threads(ofProcess: getpid()))
        let stage = try stage()
        stage.row.members[1].unit.processIdentifier.map { _ = kill($0, SIGKILL) }
        #expect(waitUntil(milliseconds: 2000) { stage.row.members[1].faults.restarts == 1 })
        let threads = Scheduling.threads(ofProcess: getpid()).filter { !before.contains($0) }
        let watchers = threads.filter { thread in
            let name = (try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)) ?? ""
            return ["supervisor\n", "state poller\n"].contains(name)
        }
        #expect(watchers.count == 2)
        for watcher in watchers { #expect(!Scheduling.processors(ofThread: watcher).contains(Self.renderCore)) }
        let started = try #require(stage.row.members[1].unit.processIdentifier)
        #expect(!Scheduling.processors(ofThread: started).contains(Self.renderCore))
        stage.stop()
    }

    @Test(.enabled(if: isPossible, "this user may not have real-time ranks")) func whoSharesTheCoreWithAUnitThatLoopsRendersOn()
        throws
    {
        let stage = try stage()
        func blocks(_ index: Int) -> UInt64 { stage.row.members[index].renderer.pointee.region.completedSequence.load() }
        try stage.row.members[2].unit.send(MIDIMessage(0xB0, 4, 120))
        stage.pause(milliseconds: 100)
        let (cycles, first, second, last) = (stage.row.cycleCount, blocks(0), blocks(1), blocks(2))
        stage.pause(milliseconds: 900)
        let played = stage.row.cycleCount - cycles
        #expect(blocks(2) == last, "the last unit was to loop all the time")
        // Starved, they would have been late in the first of these cycles, and have rendered nothing since.
        for (index, before) in [first, second].enumerated() {
            let rendered = blocks(index) - before
            print("Unit \(index) rendered \(rendered) blocks of \(played) beside a unit that loops.")
            #expect(rendered > played * 9 / 10)
        }
        stage.stop()
    }

    /// They begin on the processor of the render thread that starts them.
    @Test(.enabled(if: isPossible && all.count > 1, "that takes real-time ranks and two processors"))
    func theThreadsThatARenderThreadStartsLeaveTheRenderCore() throws {
        let stage = try stage()
        let unit = stage.row.members[1].unit
        let (process, renderThread) = try (#require(unit.processIdentifier), #require(unit.renderThread))
        func others() -> [Int32] { Scheduling.threads(ofProcess: process).filter { $0 != renderThread } }
        let before = others().count
        try unit.send(MIDIMessage(0xB0, MisbehaviourTests.Fault.busyThreads.rawValue, 0))
        #expect(waitUntil(milliseconds: 1000) { others().count == before + 4 })
        #expect(
            waitUntil(milliseconds: 2000) { others().allSatisfy { !Scheduling.processors(ofThread: $0).contains(Self.renderCore) } }
        )
        #expect(Place(of: renderThread) == Self.placed)
        stage.stop()
    }

    /// The state of a placement, which cannot be copied into an expectation itself.
    private func state(of threadPlacement: borrowing ThreadPlacement) -> [Bool] {
        [threadPlacement.isPlaced, threadPlacement.isToBeMoved]
    }

    @Test func aSeatIsLostAndRegainedInOrderWhateverComesBetween() {
        let threadPlacement = ThreadPlacement()
        var seen: [[Bool]] = []
        let nothing = threadPlacement.claim()
        seen.append(state(of: threadPlacement))
        let isLost = threadPlacement.lose()
        seen.append(state(of: threadPlacement))
        #expect(!nothing && isLost && seen == [[true, false], [false, false]], "nothing was lost before")
        // It replied before its rank was taken. It can claim its placement only after that.
        let tooEarly = threadPlacement.claim()
        let again = threadPlacement.lose()
        threadPlacement.takeRank()
        seen = [state(of: threadPlacement)]
        let isClaimed = threadPlacement.claim()
        seen.append(state(of: threadPlacement))
        _ = threadPlacement.move()
        seen.append(state(of: threadPlacement))
        #expect(!tooEarly && !again && isClaimed && seen == [[false, true], [false, true], [true, false]])
        _ = threadPlacement.lose()
        threadPlacement.takeRank()
        _ = threadPlacement.move()
        seen = [state(of: threadPlacement)]
        let isClaimedFromAfar = threadPlacement.claim()
        // The watch takes no part in it.
        threadPlacement.takeRank()
        seen.append(state(of: threadPlacement))
        _ = threadPlacement.move()
        seen.append(state(of: threadPlacement))
        #expect(isClaimedFromAfar && seen == [[false, false], [false, true], [true, false]])
        _ = threadPlacement.lose()
        threadPlacement.forgive()
        seen = [state(of: threadPlacement)]
        #expect(seen == [[true, false]])
    }

    @Test func aBarredSeatCannotBeClaimed() {
        let threadPlacement = ThreadPlacement()
        threadPlacement.bar()
        _ = threadPlacement.move()
        let isClaimed = threadPlacement.claim()
        #expect(!isClaimed && state(of: threadPlacement) == [false, false])
        threadPlacement.unbar()
        #expect(state(of: threadPlacement) == [false, true])
        _ = threadPlacement.move()
        #expect(state(of: threadPlacement) == [true, false])
        // It was about to get its rank back.
        _ = threadPlacement.lose()
        threadPlacement.takeRank()
        _ = threadPlacement.claim()
        threadPlacement.bar()
        _ = threadPlacement.move()
        #expect(state(of: threadPlacement) == [false, false])
        // A new process has broken no rule yet.
        threadPlacement.forgive()
        #expect(threadPlacement.isPlaced && !threadPlacement.isBarred)
    }
}

extension ThreadPlacement {
    /// Moves a thread for which no rank was requested.
    fileprivate func move() -> Bool {
        var wish: RankWish?
        return move(&wish)
    }
}
