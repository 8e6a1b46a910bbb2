// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Parameters and MIDI: when they take effect, which observers hear of them, and what is refused.

import AudioUnits
import LinuxSystem
import Realtime
import Synchronization
import Testing

@testable import PluginHosting

@Suite struct ParameterTests {
    private let ones = [[Float](repeating: 1, count: 8192)]

    @Test(arguments: [false, true])
    func aValueSetNowTakesEffectAtTheNextBlock(inProcess: Bool) throws {
        let unit = try Build.unit("Probe", inProcess: inProcess)
        try unit.set("level.gain", to: 0.5)
        var bench = try Bench([unit], input: ones)
        #expect(bench.render(4) == [[0.5, 0.5, 0.5, 0.5]])
        try unit.set("level.gain", to: 2)
        #expect(bench.render(3) == [[2, 2, 2]])
    }

    @Test(arguments: [0, 1, 63, 64, 65, 127, 200] as [Int64], [1, 7, 64, 256])
    func aScheduledValueTakesEffectAtItsFrame(sampleTime: Int64, blockSize: Int) throws {
        let unit = try Build.unit("Probe")
        var bench = try Bench([unit], input: ones)
        try unit.schedule("level.gain", to: 3, at: sampleTime)
        let output = bench.render(blocks: [Int](repeating: blockSize, count: 256 / blockSize + 1))[0]
        #expect(output.firstIndex { $0 != 1 } == Int(sampleTime))
        #expect(output[Int(sampleTime)...].allSatisfy { $0 == 3 })
    }

    @Test(arguments: [5, 31, 64, 100])
    func aRampRunsOnAcrossBlocks(blockSize: Int) throws {
        let unit = try Build.unit("Probe")
        var bench = try Bench([unit], input: ones)
        try unit.schedule("level.gain", to: 3, at: 50, rampFrameCount: 100)
        let output = bench.render(blocks: [Int](repeating: blockSize, count: 300 / blockSize))[0]
        #expect(output[..<50].allSatisfy { $0 == 1 })
        for (step, sample) in output[50..<150].enumerated() {
            #expect(abs(sample - (1 + Float(step) * 0.02)) < 1e-4)
        }
        #expect(output[150...].allSatisfy { $0 == 3 })
    }

    @Test func anEventInThePastTakesEffectAtTheNextBlock() throws {
        let unit = try Build.unit("Probe")
        var bench = try Bench([unit], input: ones)
        _ = bench.render(100)
        try unit.schedule("level.gain", to: 2, at: 10)
        #expect(bench.render(2) == [[2, 2]])
    }

    @Test func eventsAreKeptForTheFutureInTheOrderOfTheirTimes() throws {
        let unit = try Build.unit("Probe")
        var bench = try Bench([unit], input: ones)
        try unit.schedule("level.gain", to: 3, at: 900)
        try unit.schedule("level.gain", to: 2, at: 300)
        let output = bench.render(blocks: [Int](repeating: 100, count: 10))[0]
        #expect(output[299] == 1 && output[300] == 2 && output[899] == 2 && output[900] == 3)
    }

    @Test func manyEventsInOneBlockAllTakeEffect() throws {
        let unit = try Build.unit("Probe")
        var bench = try Bench([unit], input: ones)
        for frame in 0..<500 { try unit.schedule("level.gain", to: Double(frame % 4), at: Int64(frame)) }
        let output = bench.render(500)[0]
        #expect((0..<500).allSatisfy { output[$0] == Float($0 % 4) })
    }

    @Test func tooManyEventsAreRefusedAndNotLostInSilence() throws {
        let unit = try Build.unit("Probe")
        let bench = try Bench([unit], input: ones)
        #expect(bench.row.isWhole)
        #expect(throws: HostingError.self) {
            for _ in 0..<10_000 { try unit.schedule("level.gain", to: 1, at: 0) }
        }
    }

    @Test func anObserverIsNotToldOfItsOwnChanges() throws {
        let unit = try Build.unit("Probe")
        let mine = Mutex<[Double]>([])
        let others = Mutex<[Double]>([])
        let token = unit.values.addObserver { _, value in mine.withLock { $0.append(value) } }
        _ = unit.values.addObserver { _, value in others.withLock { $0.append(value) } }
        try unit.set("level.gain", to: 0.5, originator: token)
        try unit.set("level.gain", to: 0.75)
        #expect(mine.withLock { $0 } == [0.75])
        #expect(others.withLock { $0 } == [0.5, 0.75])
        var bench = try Bench([unit], input: ones)
        try unit.schedule("level.gain", to: 0.25, at: 100, originator: token)
        _ = bench.render(128)
        #expect(waitUntil(milliseconds: 2000) { others.withLock { $0 } == [0.5, 0.75, 0.25] })
        #expect(mine.withLock { $0 } == [0.75])
    }

    @Test(arguments: [false, true])
    func aScheduledValueIsPublishedWhenItsFrameHasBeenRendered(inProcess: Bool) throws {
        let unit = try Build.unit("Probe", inProcess: inProcess)
        var bench = try Bench([unit], input: ones)
        try unit.schedule("level.gain", to: 0.25, at: 100)
        #expect(bench.render(100)[0].allSatisfy { $0 == 1 })
        // A supervisor's look and more: it is still to come.
        Futex.pause(microseconds: 100_000)
        #expect(unit.values.byKeyPath["level.gain"] == 1)
        #expect(try unit.saveState().values["level.gain"] == 1)
        #expect(bench.render(1) == [[0.25]])
        #expect(waitUntil(milliseconds: 2000) { unit.values.byKeyPath["level.gain"] == 0.25 })
        #expect(try unit.saveState().values["level.gain"] == 0.25)
    }

    @Test func aValueThatIsSetAfterAScheduledOneHasComeDueIsTheLastOne() throws {
        let unit = try Build.unit("Probe")
        var bench = try Bench([unit], input: ones)
        for value in [0.25, 0.5] { try unit.schedule("level.gain", to: value, at: 10) }
        _ = bench.render(64)
        try unit.set("level.gain", to: 2)
        #expect(unit.journal.changes.map(\.value).suffix(3) == [0.25, 0.5, 2])
        #expect(unit.values.byKeyPath["level.gain"] == 2)
    }

    /// The unit has taken what it has room for; what it has not taken must not come back with its state.
    @Test func whatWasRefusedIsInNoJournalAndWhatLiesAheadIsNotEither() throws {
        let unit = try Build.unit("Probe")
        let bench = try Bench([unit], input: ones)
        #expect(throws: HostingError.self) {
            for _ in 0..<10_000 { try unit.schedule("level.gain", to: 3, at: 1_000_000) }
        }
        #expect(unit.journal.changes.isEmpty)
        #expect(unit.values.byKeyPath["level.gain"] == 1)
        _ = bench.sampleTime
    }

    @Test func severalParametersAreSetAtOnceOrNoneOfThem() throws {
        let unit = try Build.unit("Probe")
        let gain = try unit.settableParameter("level.gain")
        let question = try unit.settableParameter("echo.question")
        #expect(throws: HostingError.self) { try unit.set([(question, 7), (gain, 5)]) }
        #expect(unit.values.byKeyPath["echo.question"] == question.defaultValue)
        #expect(unit.journal.changes.isEmpty)
        try unit.set([(question, 7), (gain, 0.5)])
        #expect(unit.values.byKeyPath["level.gain"] == 0.5 && unit.values.byKeyPath["echo.question"] == 7)
        #expect(try unit.saveState().values["level.gain"] == 0.5)
        var foreign = gain
        foreign.address = 999_999
        #expect(throws: HostingError.self) { try unit.set([(foreign, 0.5)]) }
    }

    @Test(arguments: [false, true])
    func whatTheUnitChangesItselfReachesTheHostAndItsObservers(inProcess: Bool) throws {
        let unit = try Build.unit("Probe", inProcess: inProcess)
        let seen = Mutex<[UInt64: Double]>([:])
        _ = unit.values.addObserver { address, value in seen.withLock { $0[address] = value } }
        var bench = try Bench([unit], input: ones)
        try unit.set("echo.question", to: 7)
        _ = bench.render(16)
        #expect(waitUntil(milliseconds: 2000) { unit.values.byKeyPath["echo.answer"] == 21 })
        // On a thread of their own.
        #expect(waitUntil(milliseconds: 2000) { seen.withLock { $0[21] } == 21 })
    }

    @Test func whatIsOutOfRangeOrReadOnlyOrUnknownIsRefusedAndChangesNothing() throws {
        let unit = try Build.unit("Probe")
        for value in [5, -4.001, .infinity, .nan] {
            let error = #expect(throws: HostingError.self) { try unit.set("level.gain", to: value) }
            let range = try #require(unit.parameters[keyPath: "level.gain"]).range
            guard case .refused("Probe", _, .valueOutOfRange("level.gain", let refused, range), "") = error else {
                throw TestFailure("Another error than expected: \(String(describing: error)).")
            }
            #expect(refused == value || refused.isNaN && value.isNaN)
            #expect(throws: HostingError.self) { try unit.schedule("level.gain", to: value, at: 0) }
        }
        #expect(unit.values.byKeyPath["level.gain"] == 1)
        let readOnly = #expect(throws: HostingError.self) { try unit.set("report.resets", to: 1) }
        #expect("\(try #require(readOnly))".hasSuffix("report.resets can only be read."))
        let unknown = #expect(throws: HostingError.self) { try unit.set("level.gian", to: 1) }
        #expect("\(try #require(unknown))".contains("it has no parameter \"level.gian\"; did you mean level.gain?"))
    }

    @Test(arguments: [false, true])
    func aMIDIMessageArrivesAtItsFrameAndComesBackOnItsCable(inProcess: Bool) throws {
        let unit = try Build.unit("Probe", inProcess: inProcess)
        var bench = try Bench([unit], input: [[Float](repeating: 0, count: 512)])
        try unit.send(MIDIMessage(0x90, 60, 100, cable: 13), at: 70)
        let output = bench.render(blocks: [64, 64, 64])[0]
        #expect(output.indices.filter { output[$0] != 0 } == [70])
        #expect(waitUntil(milliseconds: 2000) { unit.values.byKeyPath["report.time"] == 70 })
        let answers = unit.takeMIDI()
        #expect(answers.map(\.sampleTime) == [70])
        #expect(answers.map(\.message) == [MIDIMessage(0x90, 60, 100, cable: 13)])
        #expect(unit.takeMIDI().isEmpty)
    }

    @Test func automationFollowsItsLine() throws {
        let unit = try Build.unit("Probe")
        let lane = AutomationLane(
            address: 100,
            points: [(0, 0.0), (1000, 2.0), (1500, 2.0), (2000, -1.0)].map {
                AutomationLane.Point(sampleTime: $0.0, value: $0.1)
            }, ramps: true)
        var bench = try Bench([BenchUnit(unit, automation: [lane])], input: ones)
        let output = bench.render(blocks: [Int](repeating: 128, count: 20))[0]
        for frame in 0..<2400 {
            let expected = Float(lane.value(at: Int64(frame))!)
            #expect(abs(output[frame] - expected) < 1e-5, "frame \(frame)")
        }
    }

    /// Gain smooths changes without a ramp, and the first point is not the value before.
    @Test(arguments: [1, 7, 64, 125, 128]) func aLineBeginsAndEndsAtTheFramesOfItsPoints(blockSize: Int) throws {
        let unit = try Build.unit("Gain")
        let points = [(1000, -6.0), (1005, -20.0)].map { AutomationLane.Point(sampleTime: $0.0, value: $0.1) }
        let lane = AutomationLane(address: 0, points: points, ramps: true)
        var bench = try Bench([BenchUnit(unit, automation: [lane])], input: ones)
        let output = bench.render(blocks: [Int](repeating: blockSize, count: 2000 / blockSize))[0]
        let (first, last): (Float, Float) = (Maths.gain(fromDecibels: -6), Maths.gain(fromDecibels: -20))
        #expect(output[999] == 1 && output[1000] == first && output[1005] == last && output[1900] == last)
        for frame in 0...5 {
            #expect(abs(output[1000 + frame] - (first + (last - first) * Float(frame) / 5)) < 1e-6, "frame \(frame)")
        }
    }

    @Test func aLineThatBeginsWithTheSoundHasItsFirstValueThere() throws {
        let unit = try Build.unit("Gain")
        let points = [(0, -20.0), (100, -6.0)].map { AutomationLane.Point(sampleTime: $0.0, value: $0.1) }
        let lane = AutomationLane(address: 0, points: points, ramps: true)
        var bench = try Bench([BenchUnit(unit, automation: [lane])], input: ones)
        let output = bench.render(blocks: [64, 64, 64])[0]
        #expect(output[0] == Maths.gain(fromDecibels: -20) && output[100] == Maths.gain(fromDecibels: -6))
    }

    /// A ramp of N frames from frame t on: k/N of the way at frame t + k, whatever the blocks.
    @Test(arguments: ["Probe", "Gain"], [1, 3, 64]) func aRampHasMovedByKOfNAtItsKthFrame(name: String, blockSize: Int) throws {
        let unit = try Build.unit(name)
        let (keyPath, value) = name == "Gain" ? ("gain", 6.0) : ("level.gain", 2.0)
        var bench = try Bench([unit], input: ones)
        try unit.schedule(keyPath, to: value, at: 70, rampFrameCount: 10)
        let output = bench.render(blocks: [Int](repeating: blockSize, count: 192 / blockSize))[0]
        let end = name == "Gain" ? Maths.gain(fromDecibels: 6) : 2
        #expect(output[70] == 1 && output[80] == end && output[79] < end)
        for frame in 0...10 { #expect(abs(output[70 + frame] - (1 + (end - 1) * Float(frame) / 10)) < 1e-6) }
    }

    @Test func ofSeveralPointsAtAFrameTheLastOneCountsAndTheLineLeadsToTheFirst() {
        let points = [(0, 1.0), (0, 2), (0, 3), (10, 4), (10, 5), (11, 6)].map {
            AutomationLane.Point(sampleTime: $0.0, value: $0.1)
        }
        let lane = AutomationLane(address: 1, points: points, ramps: true)
        #expect(lane.points.map(\.sampleTime) == [0, 9, 10, 11])
        #expect(lane.points.map(\.value) == [3, 3.9, 5, 6])
        #expect(lane.value(at: 0) == 3 && lane.value(at: 9) == 3.9 && lane.value(at: 10) == 5)
    }
}
