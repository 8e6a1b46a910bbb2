// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit's answers to orders that make no sense, without a host. Test thread.

import AudioUnits
import CWireLayout
import ControlMessages
import Testing
import Wire

@testable import PluginSDK

/// Puts out its input times two.
private struct Doubler: Kernel, ~Copyable {
    static let description = UnitDescription(
        ComponentDescription(.effect, "doub", "test"), name: "Doubler", manufacturerName: "Bulkhead Tests",
        version: UnitVersion(1, 0, 0))

    static let parameters = ParameterTree(
        Parameter("level", name: "Level", address: 5, range: 0...1, default: 0.5),
        Parameter("meter", name: "Meter", address: 6, range: 0...1, default: 0, flags: [.meter]))

    static let factoryPresets = [FactoryPreset("Loud", ["level": 1])]

    init(_ setup: RenderSetup) throws(UnitError) {}

    @_noLocks mutating func apply(_ change: ParameterChange) {}

    @_noLocks mutating func render(_ block: RenderBlock) {
        for channel in 0..<block.output.channelCount {
            for frame in 0..<block.frameCount { block.output[channel][frame] = block.input[channel][frame] * 2 }
        }
    }

    @_noLocks mutating func reset() {}
}

/// Has the latency that its parameter gives.
private struct Latecomer: Kernel, ~Copyable {
    static let description = UnitDescription(
        ComponentDescription(.effect, "late", "test"), name: "Latecomer", manufacturerName: "Bulkhead Tests",
        version: UnitVersion(1, 0, 0))

    static let parameters = ParameterTree(
        Parameter("latency", name: "Latency", address: 5, range: 0...100, default: 0))

    private(set) var latencyFrameCount = 0
    var tailFrameCount: Int {
        @_noLocks get { 2 * latencyFrameCount }
    }

    init(_ setup: RenderSetup) throws(UnitError) {}

    @_noLocks mutating func apply(_ change: ParameterChange) { latencyFrameCount = Int(change.value) }

    @_noLocks mutating func render(_ block: RenderBlock) { block.output.copy(from: block.input) }

    @_noLocks mutating func reset() {}
}

/// A unit and the memory that a host would give it.
private final class Workbench {
    static let maximumFrameCount = 64
    let instance: UnitInstance
    let layout = AudioMemoryLayout(slotCount: 2, channelCount: 1, maximumFrameCount: maximumFrameCount)
    let region: Region
    let input: UnsafeMutablePointer<Float>
    let output: UnsafeMutablePointer<Float>
    private let base: UnsafeMutableRawPointer

    init(_ definition: UnitDefinition = UnitDefinition(Doubler.self)) {
        instance = UnitInstance(.unit(definition))
        let header = RegionHeader(
            sampleRate: 48_000, maximumFrameCount: Self.maximumFrameCount, slotCount: 2, inputBusCount: 1, outputBusCount: 1,
            eventCapacity: 64)
        base = .allocate(byteCount: Int(header.byteCount), alignment: 4096)
        region = Region(unsafeFormatting: base, as: header)
        input = .allocate(capacity: 128)
        input.initialize(repeating: 0.25, count: 128)
        output = .allocate(capacity: 128)
        output.initialize(repeating: -1, count: 128)
    }

    deinit {
        base.deallocate()
        input.deallocate()
        output.deallocate()
    }

    func allocation(channelCount: Int = 1, maximumFrameCount: Int = Workbench.maximumFrameCount) -> HostMessage {
        let bus = [BusFormat(channelCount: channelCount)]
        return .allocate(
            Allocation(
                sampleRate: 48_000, maximumFrameCount: maximumFrameCount, inputs: bus, outputs: bus, output: layout,
                connections: [InputConnection(layout: layout, firstChannel: 0)], hasSuccessor: false))
    }

    func allocate() -> PluginMessage {
        instance.attachment = Attachment(region: region, output: output, inputs: [input])
        return instance.handle(allocation())
    }

    /// Publishes a request after `change` has changed it, renders it, and returns the status of the reply.
    func status(_ sequence: UInt64, _ change: (UnsafeMutablePointer<WireRequest>) -> Void) -> UInt32 {
        var request = WireRequest()
        request.sequence = sequence
        request.inputFrameCount = 16
        request.outputFrameCount = 16
        region.request(sequence).pointee = request
        change(region.request(sequence))
        instance.core?.pointee.render(sequence)
        #expect(region.completedSequence.load() == sequence)
        return region.reply(sequence).pointee.status
    }
}

@Suite struct UnitInstanceTests {
    private func refusal(_ message: HostMessage, _ bench: Workbench = Workbench()) -> String? {
        guard case .refused(let reason) = bench.instance.handle(message) else { return nil }
        return reason
    }

    @Test func aHostOfAnotherTimeIsTurnedDownWithTheVersions() {
        let answer = Workbench().instance.handle(.hello(VersionRange(minimum: 7, maximum: 9), hostName: "Future", locator: []))
        #expect(answer == .versionRefused(.own, name: "Doubler"))
    }

    @Test func stepsOutOfOrderAreRefusedAndSaySo() {
        #expect(refusal(.deallocate) == "deallocating render resources is not allowed while no render resources are allocated")
        #expect(refusal(Workbench().allocation()) == "no memory came with the allocation")
        let bench = Workbench()
        guard case .allocated = bench.allocate() else {
            Issue.record("it was not allocated")
            return
        }
        let busy = "is not allowed while render resources are allocated"
        #expect(refusal(bench.allocation(), bench) == "allocating render resources \(busy)")
        #expect(refusal(.reset, bench) == "resetting by message \(busy)")
        #expect(bench.instance.handle(.deallocate) == .done)
        #expect(bench.instance.handle(.reset) == .done)
        guard case .allocated = bench.allocate() else {
            Issue.record("it was not allocated again")
            return
        }
    }

    @Test func anAllocationThatContradictsItsMemoryIsRefused() {
        for (channelCount, maximumFrameCount) in [(2, 64), (1, 65)] {
            let bench = Workbench()
            let message = bench.allocation(channelCount: channelCount, maximumFrameCount: maximumFrameCount)
            bench.instance.attachment = Attachment(region: bench.region, output: bench.output, inputs: [bench.input])
            #expect(refusal(message, bench) == "the allocation contradicts the region's header")
            #expect(bench.instance.core == nil)
        }
    }

    @Test func settingsThatMakeNoSenseAreRefusedWhole() {
        let bench = Workbench()
        let good = ParameterSetting(address: 5, value: 1)
        func refusalOfValue(_ value: Double, at address: UInt64) -> String? {
            refusal(.setParameters([good, ParameterSetting(address: address, value: value)]), bench)
        }
        #expect(refusalOfValue(0, at: 9) == "it has no parameter \"address 9\"")
        #expect(refusalOfValue(0, at: 6) == "meter can only be read")
        #expect(refusalOfValue(.nan, at: 5) != nil)
        #expect(refusal(.selectPreset(1), bench) == "it has no preset \"number 1\"")
        guard case .state(let state) = bench.instance.handle(.saveState) else {
            Issue.record("it saved no state")
            return
        }
        #expect(state.values == ["level": 0.5])
    }

    @Test func aUnitInTheHostsProcessTakesNoWiring() {
        let bench = Workbench()
        let wiring = HostMessage.wire(Rewiring(number: 1, connections: [nil], hasSuccessor: false))
        #expect(refusal(wiring, bench) == "wiring is not allowed while no render resources are allocated")
        _ = bench.allocate()
        #expect(refusal(wiring, bench) == "no doorbells came with the wiring; a unit in the host's process takes none")
        #expect(bench.status(1) { $0.pointee.wiring = 1 } == 2)
        #expect(bench.status(2) { $0.pointee.inputSlots.0 = 64 } == 2)
        #expect(bench.status(3) { $0.pointee.inputSlots.0 = 255 } == 0)
        #expect((0..<16).allSatisfy { bench.output[$0] == 0 } && bench.output[16] == -1)
        #expect(bench.status(4) { _ in } == 0 && bench.output[0] == 0.5)
    }

    @Test func aRequestThatMakesNoSenseIsAnsweredAndRendersNothing() {
        let bench = Workbench()
        _ = bench.allocate()
        #expect(bench.status(1) { $0.pointee.outputFrameCount = 65 } == 1)
        #expect(bench.status(2) { $0.pointee.inputFrameCount = .max } == 1)
        #expect(bench.status(3) { $0.pointee.outputSlot = 2 } == 2)
        #expect(bench.status(4) { $0.pointee.inputSlots.0 = 254 } == 2)
        #expect(bench.status(5) { $0.pointee.sequence = 4 } == 2)
        #expect((0..<128).allSatisfy { bench.output[$0] == -1 })
        #expect(bench.status(6) { $0.pointee.eventCount = .max } == 0)
        #expect((0..<16).allSatisfy { bench.output[$0] == 0.5 } && bench.output[16] == -1)
        let nothing = bench.status(7) { request in
            request.pointee.outputFrameCount = 0
            request.pointee.inputFrameCount = 0
        }
        #expect(nothing == 0)
        #expect(bench.status(8) { $0.pointee.sampleTime = .max } == 0)
        #expect(bench.status(9) { $0.pointee.sampleTime = .min } == 0)
    }

    /// Differences of such times are no frames of a block.
    @Test(arguments: [(Int64.min + 500, Int64.max - 499), (-1, .max), (.max - 3, .min + 2), (.min, .max)])
    func anEventAtATimeThatMakesNoSenseSplitsNoBlock(request: Int64, event: Int64) {
        let bench = Workbench()
        _ = bench.allocate()
        var events = bench.region.hostToPluginWriter()
        let isWritten = events.write(WireEvent(parameter: 5, value: 1, sampleTime: event))
        #expect(isWritten)
        for sequence in UInt64(1)...3 {
            bench.output.update(repeating: -1, count: 128)
            let status = bench.status(sequence) {
                $0.pointee.sampleTime = request
                $0.pointee.eventCount = sequence == 1 ? 1 : 0
            }
            #expect(status == 0 && (0..<16).allSatisfy { bench.output[$0] == 0.5 } && bench.output[16] == -1)
        }
    }

    /// The latency follows in a block that is rendered, one that is bypassed and one without frames.
    @Test func theReplySaysHowLateTheUnitIsByNow() {
        let bench = Workbench(UnitDefinition(Latecomer.self))
        _ = bench.allocate()
        var events = bench.region.hostToPluginWriter()
        var sequence: UInt64 = 0
        func latency(after value: Double, _ change: (UnsafeMutablePointer<WireRequest>) -> Void) -> UInt32 {
            sequence += 1
            let isWritten = events.write(WireEvent(parameter: 5, value: value, sampleTime: 0))
            let status = bench.status(sequence) {
                $0.pointee.eventCount = 1
                change($0)
            }
            let reply = bench.region.reply(sequence).pointee
            #expect(isWritten && status == 0 && reply.tailFrameCount == 2 * reply.latencyFrameCount)
            return reply.latencyFrameCount
        }
        #expect(latency(after: 7) { _ in } == 7)
        #expect(latency(after: 9) { $0.pointee.inputFrameCount = 8 } == 9)
        // A fade takes 480 frames.
        for _ in 0..<30 { _ = latency(after: 10) { $0.pointee.flags = UInt32(CWireLayout_requestBypass) } }
        #expect(latency(after: 11) { $0.pointee.flags = UInt32(CWireLayout_requestBypass) } == 11)
        #expect(latency(after: 12) { _ in } == 12)
        bench.instance.core?.pointee.parameters.pointee.want([5: 13])
        sequence += 1
        let status = bench.status(sequence) {
            $0.pointee.inputFrameCount = 0
            $0.pointee.outputFrameCount = 0
        }
        #expect(status == 0 && bench.region.reply(sequence).pointee.latencyFrameCount == 13)
    }
}
