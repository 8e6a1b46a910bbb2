// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Messages reach LV2 plug-ins through everything that happens meanwhile: states, bypass, full ports, busy workers. Test thread.

import AudioUnits
import LinuxSystem
import Testing

@testable import PluginHosting

@Suite(.serialized) struct LV2MessageTests {
    /// Replaces a text by one of the same length.
    private func replacing(_ old: String, with new: String, in bytes: [UInt8]) throws -> [UInt8] {
        let (old, new) = (Array(old.utf8), Array(new.utf8))
        var bytes = bytes
        let start = try #require((0...bytes.count - old.count).first { Array(bytes[$0..<$0 + old.count]) == old })
        bytes.replaceSubrange(start..<start + old.count, with: new)
        return bytes
    }

    @Test(arguments: [false, true])
    func aPropertyAtItsDefaultCountsAgainstTheState(isRendering: Bool) throws {
        let unit = try LV2.unit("keeper", inProcess: true)
        try unit.set("level", to: 2)
        #expect(try UnitBench().render(unit, LV2.constant(0.25))[0].last == 0.5)
        var state = try unit.saveState()
        state.values["level"] = 1
        let other = try LV2.unit("keeper", inProcess: true)
        if !isRendering { try other.restoreState(state) }
        let bench = UnitBench(beforeBlock: { start, unit in if isRendering, start == 1024 { try unit.restoreState(state) } })
        #expect(try bench.render(other, LV2.constant(0.25))[0].last == 0.25)
    }

    @Test func whatIsSetWhileBypassedIsHeardAfterwards() throws {
        let unit = try LV2.unit("keeper", inProcess: true)
        var row: UnitRow?
        // More than the port holds.
        let changeCount = 600
        var bench = UnitBench(
            blockSize: 64,
            beforeBlock: { start, unit in
                let block = start / 64
                if block == 4 { row?.members[0].isBypassed = true }
                if (40..<40 + changeCount).contains(block) { try unit.set("level", to: block % 2 == 0 ? 2 : 3) }
                if block == 50 + changeCount { row?.members[0].isBypassed = false }
            })
        bench.withRow = { row = $0 }
        let output = try bench.render(unit, LV2.constant(0.25, frames: 64 * (100 + changeCount)))[0]
        #expect(output.last == 0.75)
    }

    @Test func textsThatFillThePortWaitForTheNextRun() throws {
        let file = LV2.NumberFile("0.25")
        let unit = try LV2.unit("keeper", inProcess: true)
        let bench = UnitBench(beforeBlock: { start, unit in
            guard start == 256 else { return }
            for _ in 0..<6 { try unit.setText("title", to: String(repeating: "x", count: 4000)) }
            try unit.setText("file", to: file.path)
        })
        #expect(try bench.render(unit, LV2.constant(0.5, frames: 4096))[0].last == 0.75)
    }

    @Test func whereMIDIIsLostAllNotesEnd() throws {
        let unit = try LV2.unit("echo", inProcess: true)
        let bench = UnitBench(beforeBlock: { start, unit in
            guard start == 256 else { return }
            for _ in 0..<800 { try unit.send(MIDIMessage(0x90, 60, 100), at: 256) }
        })
        _ = try bench.render(unit, LV2.constant(0, frames: 4096))
        let received = unit.takeMIDI()
        let ends = received.filter { $0.message.bytes.low & 0xFFF0 == 0x7BB0 }
        #expect(ends.count == 16 && ends.allSatisfy { $0.sampleTime == 512 } && Set(ends.map(\.message)).count == 16)
    }

    @Test func aTextDoesNotOutliveTheStateThatItWasSetIn() throws {
        let file = LV2.NumberFile("0.25")
        let unit = try LV2.unit("keeper", inProcess: true)
        var fresh: FullState?
        let bench = UnitBench(beforeBlock: { start, unit in
            if start == 256 { fresh = try unit.saveState() }
            guard start == 1024 else { return }
            try unit.setText("file", to: file.path)
            try unit.restoreState(try #require(fresh))
        })
        #expect(try bench.render(unit, LV2.constant(0.5, frames: 4096))[0].last == 0.5)
        #expect(try unit.saveState().texts.isEmpty)
    }

    @Test func aStateThatThePluginRefusesLeavesItAsItWas() throws {
        let file = LV2.NumberFile("0.25")
        let unit = try LV2.unit("keeper", inProcess: true)
        try unit.setText("file", to: file.path)
        let bench = UnitBench(beforeBlock: { start, unit in
            guard start == 1024 else { return }
            var state = try unit.saveState()
            state.custom = try replacing("0.250000", with: "0.750000", in: state.custom)
            state.custom = try replacing("keeper#title", with: "keeper#tuttl", in: state.custom)
            #expect(throws: HostingError.self) { try unit.restoreState(state) }
        })
        #expect(try bench.render(unit, LV2.constant(0.5, frames: 4096))[0].last == 0.75)
    }

    @Test(.timed("gives a worker time")) func aStateWaitsForTheWorker() throws {
        let slow = LV2.NumberFile("0.375")
        let unit = try LV2.unit("keeper", inProcess: true)
        var state: FullState?
        let bench = UnitBench(
            blockSize: 64, isOffline: false,
            beforeBlock: { start, unit in
                if start == 64 { state = try unit.saveState() }
                if start == 128 { try unit.setText("file", to: slow.path) }
                if start == 256 { Futex.pause(microseconds: 50_000) }
                if start == 320 { try unit.restoreState(try #require(state)) }
            })
        #expect(try bench.render(unit, LV2.constant(0.5, frames: 4096))[0].last == 0.5)
    }

    @Test(.timed("gives a worker time")) func activationWaitsForTheWorkerAndTheInputGoesByMeanwhile() throws {
        let slow = LV2.NumberFile("0.375")
        let unit = try LV2.unit("keeper", inProcess: true)
        var row: UnitRow?
        var bench = UnitBench(
            blockSize: 64, isOffline: false,
            beforeBlock: { start, unit in
                if start == 64 { row?.members[0].isBypassed = true }
                if start == 128 { try unit.setText("file", to: slow.path) }
                // Heard for a moment, so that the work begins; then bypassed again.
                if start == 6400 { row?.members[0].isBypassed = false }
                if start == 6528 { row?.members[0].isBypassed = true }
                if start == 12_800 { row?.members[0].isBypassed = false }
                if start == 19_200 { Futex.pause(microseconds: 400_000) }
            })
        bench.withRow = { row = $0 }
        let output = try bench.render(unit, LV2.constant(0.5, frames: 25_600))[0]
        #expect(output.allSatisfy { $0 >= 0.5 } && output[19_100] == 0.5 && output.last == 0.875)
    }
}
