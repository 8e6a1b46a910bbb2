// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit with two input buses, each in its own memory, driven directly and in a row.

import AudioUnits
import CWireLayout
import ControlMessages
import LinuxSystem
import TestSupport
import Testing
import Wire

@testable import PluginHosting

/// Two inputs and a unit that reads both, as a host with side chains provides them.
private struct SideChainBench {
    static let frameCount = 64
    let memory: UnitMemory
    let hostDoorbell: SharedMemory
    /// The two channels of the main input, and two channels of which the second is the side chain.
    let inputs: [SharedMemory]
    let layout = AudioMemoryLayout(slotCount: 2, channelCount: 2, maximumFrameCount: frameCount)
    let region: Region

    init() throws {
        let format = BlockFormat(sampleRate: 48_000, maximumFrameCount: Self.frameCount, channelCount: 2)
        memory = try UnitMemory(name: "probe", format: format, inputBusCount: 2, outputBusCount: 1, outputChannelCount: 2)
        hostDoorbell = try SharedMemory(name: "host", byteCount: WireLimits.pageByteCount)
        let byteCount = layout.byteCount
        inputs = try ["main", "side"].map { try SharedMemory(name: $0, byteCount: byteCount) }
        region = memory.formatRegion()
    }

    var allocation: HostMessage {
        .allocate(
            Allocation(
                sampleRate: 48_000, maximumFrameCount: Self.frameCount,
                inputs: [BusFormat(channelCount: 2), BusFormat(channelCount: 1)], outputs: [BusFormat(channelCount: 2)],
                output: memory.outputLayout,
                connections: [
                    InputConnection(layout: layout, firstChannel: 0), InputConnection(layout: layout, firstChannel: 1),
                ], hasSuccessor: false))
    }

    /// The descriptors in the order of the protocol.
    var descriptors: [Int32] {
        [memory.regionMemory, memory.doorbellMemory, hostDoorbell, memory.outputMemory].map(\.descriptor)
            + inputs.map(\.descriptor)
    }

    func samples(_ input: Int) -> UnsafeMutablePointer<Float> { inputs[input].base.assumingMemoryBound(to: Float.self) }

    func fill(_ input: Int, slot: Int, channel: Int, with value: Float) {
        (samples(input) + layout.sampleOffset(slot: slot, channel: channel)).update(repeating: value, count: Self.frameCount)
    }

    /// Publishes the first request: the main input in block 1, the side chain in block 0.
    func publish() {
        var request = WireRequest()
        request.sequence = 1
        request.inputFrameCount = UInt32(Self.frameCount)
        request.outputFrameCount = UInt32(Self.frameCount)
        request.outputSlot = 1
        request.inputSlots.0 = 1
        region.request(1).pointee = request
        region.publishedSequence.store(1)
    }

    func output(_ channel: Int) -> [Float] {
        let start = memory.output + memory.outputLayout.sampleOffset(slot: 1, channel: channel)
        return Array(UnsafeBufferPointer(start: start, count: Self.frameCount))
    }
}

@Suite(.timed("renders under deadlines")) struct SideChainTests {
    private func filledBench() throws -> SideChainBench {
        let bench = try SideChainBench()
        bench.fill(0, slot: 1, channel: 0, with: 0.5)
        bench.fill(0, slot: 1, channel: 1, with: 0.25)
        bench.fill(1, slot: 0, channel: 1, with: 0.125)
        return bench
    }

    /// Expects both inputs in the output: the probe adds its side chain to the first channel.
    private func expectBothInputs(_ bench: SideChainBench) {
        #expect(bench.region.completedSequence.load() == 1)
        #expect(bench.region.reply(1).pointee.status == 0)
        #expect(bench.output(0).allSatisfy { $0 == 0.625 })
        #expect(bench.output(1).allSatisfy { $0 == 0.25 })
    }

    @Test func aUnitInAProcessOfItsOwnHearsItsSideChain() throws {
        let bench = try filledBench()
        let unit = try Build.unit("Probe")
        guard case .allocated = try unit.ask(bench.allocation, act: "allocate", descriptors: bench.descriptors) else {
            Issue.record("it was not allocated")
            return
        }
        bench.publish()
        bench.memory.doorbell.store(1)
        Futex.wake(bench.memory.doorbell.address)
        #expect(waitUntil(milliseconds: 2000) { bench.region.completedSequence.load() == 1 })
        expectBothInputs(bench)
    }

    @Test func aUnitInTheHostsProcessHearsItsSideChain() throws {
        let bench = try filledBench()
        let unit = try Build.unit("Probe", inProcess: true)
        let connection = try #require(unit.state.withLock { $0.connection } as? InProcessConnection)
        var attachment = CPluginInterface_Attachment()
        attachment.region = bench.memory.regionMemory.base
        attachment.output = bench.memory.output
        attachment.inputs.0 = UnsafePointer(bench.samples(0))
        attachment.inputs.1 = UnsafePointer(bench.samples(1))
        connection.attach(attachment)
        guard case .allocated = try unit.ask(bench.allocation, act: "allocate") else {
            Issue.record("it was not allocated")
            return
        }
        bench.publish()
        connection.table.pointee.render(connection.unit, 1)
        expectBothInputs(bench)
        _ = try unit.ask(.deallocate, act: "deallocate")
    }

    @Test(arguments: [false, true])
    func aSideChainIsHeardBesideTheFirstInput(inProcess: Bool) throws {
        let probe = try Build.unit("Probe", inProcess: inProcess)
        // The probe adds its side chain to its input.
        #expect(try render(BenchUnit(probe, sideInputs: [2])).allSatisfy { $0 == 1 })
        #expect(try render(BenchUnit(probe, sideInputs: [0])).allSatisfy { $0 == 0.5 })
    }

    @Test func aUnitWithoutASecondInputRefusesASideChain() throws {
        let unit = try Build.unit("Gain")
        let format = BlockFormat(sampleRate: 48_000, maximumFrameCount: 64, channelCount: 2, sideInputs: [2])
        let error = #expect(throws: HostingError.self) { try UnitResources(unit, format: format) }
        #expect("\(try #require(error))".contains("it has no input 2"))
    }

    /// Renders half of full scale through a row, offline, and returns the first channel of the last block.
    private func render(_ link: BenchUnit) throws -> [Float] {
        let input = [[Float]](repeating: [Float](repeating: 0.5, count: 640), count: 2)
        var bench = try Bench([link], input: input, maximumFrameCount: 64)
        return try Array(bench.renderInput()[0].suffix(64))
    }
}
