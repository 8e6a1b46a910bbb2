// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit hosted by itself, as an embedder hosts it: found, started, rendered, and brought back after a death.

import AudioUnits
import Glibc
import LinuxSystem
import Realtime
import Synchronization
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("renders under deadlines"), .serialized, .timeLimit(.minutes(2))) struct PluginUnitTests {
    private static let stereo = AudioFormat(sampleRate: 48_000, channelCount: 2)

    private static func unit(
        _ name: String, _ options: ComponentInstantiationOptions = [], isOffline: Bool = true
    ) async throws -> PluginUnit {
        let unit = try await PluginUnit.instantiate(try Build.component(name), options: options)
        try unit.setFormat(stereo)
        unit.isRenderingOffline = isOffline
        return unit
    }

    /// Two channels of a program's own, for blocks of up to 512 frames.
    struct Buffers: ~Copyable {
        let input = AudioBuffer(channelCount: 2, frameCapacity: 512)
        let output = AudioBuffer(channelCount: 2, frameCapacity: 512)

        func fill(_ value: Float, frameCount: Int = 512) -> (input: AudioBlock, output: AudioBlock) {
            let (input, output) = (input.block(frameCount: frameCount), output.block(frameCount: frameCount))
            for channel in 0..<2 { for frame in 0..<frameCount { input[channel][frame] = value } }
            return (input, output)
        }
    }

    @Test(arguments: [ComponentInstantiationOptions.loadOutOfProcess, .loadInProcess])
    func itRendersBlocksOfTheProgramsOwn(options: ComponentInstantiationOptions) async throws {
        let unit = try await Self.unit("Probe", options)
        #expect(unit.isInProcess == (options == .loadInProcess))
        try unit.selectPreset("half")
        #expect(unit.value(of: "level.gain") == 0.5)
        try unit.allocateRenderResources()
        let buffers = Buffers()
        let (input, output) = buffers.fill(0.5)
        #expect(unit.renderBlock(input, into: output) == .rendered)
        #expect(output[0][0] == 0.25 && output[1][511] == 0.25)
        try unit.setValue(2, of: "level.gain")
        #expect(unit.renderBlock(input, into: input) == .rendered)
        #expect(input[0][0] == 1 && input[1][511] == 1)
    }

    /// What a program's render thread may be: the compiler checks that it neither allocates nor locks, closure included.
    @_noLocks
    private static func renderInRealTime(
        _ render: PluginUnit.RenderBlock, _ pulls: UnsafeMutablePointer<Int>, _ output: AudioBlock
    ) -> PluginUnit.RenderStatus {
        render(into: output) { block in
            pulls.pointee += 1
            for channel in 0..<block.channelCount { for frame in 0..<block.frameCount { block[channel][frame] = 0.25 } }
        }
    }

    @Test func itPullsItsInput() async throws {
        let unit = try await Self.unit("Probe")
        try unit.setValue(-1, of: "level.gain")
        try unit.allocateRenderResources()
        let pulls = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        pulls.initialize(to: 0)
        defer { pulls.deallocate() }
        let buffers = Buffers()
        let (_, output) = buffers.fill(9)
        #expect(Self.renderInRealTime(unit.renderBlock, pulls, output) == .rendered)
        #expect(output[0][0] == -0.25 && output[1][511] == -0.25 && pulls.pointee == 1)
    }

    @Test func withoutResourcesItIsSilentAndSaysSo() async throws {
        let unit = try await Self.unit("Probe")
        let render = unit.renderBlock
        let buffers = Buffers()
        let (input, output) = buffers.fill(0.5)
        output[0][0] = 1
        #expect(render(input, into: output) == .noResources && output[0][0] == 0)
        unit.maximumFramesToRender = 256
        try unit.allocateRenderResources()
        #expect(render(input, into: output) == .tooManyFrames)
        #expect(render(input, into: output) == .tooManyFrames)
        let (half, halfOutput) = buffers.fill(0.5, frameCount: 256)
        #expect(render(half, into: halfOutput) == .rendered && halfOutput[1][255] == 0.5)
        unit.deallocateRenderResources()
        #expect(render(half, into: halfOutput) == .noResources && halfOutput[1][255] == 0)
        unit.deallocateRenderResources()
        try unit.allocateRenderResources()
        #expect(render(half, into: halfOutput) == .rendered)
    }

    @Test func missingChannelsAreSilent() async throws {
        let unit = try await Self.unit("Probe")
        try unit.allocateRenderResources()
        let buffers = Buffers()
        let (input, output) = buffers.fill(0.5)
        let mono = AudioBlock(channels: input.channels, channelCount: 1, frameCount: 100)
        #expect(unit.renderBlock(mono, into: output) == .rendered)
        #expect(output[0][99] == 0.5 && output[0][100] == 0 && output[1][0] == 0)
    }

    @Test func errorsKeepTheirCause() async throws {
        let unit = try await Self.unit("Probe")
        do {
            try unit.setValue(99, of: "level.gain")
            Issue.record("The value is out of range.")
        } catch HostingError.refused(_, _, .valueOutOfRange(let parameter, let value, let range), _) {
            #expect(parameter == "level.gain")
            #expect(value == 99)
            #expect(range.upperBound == 4)
        }
        let preset = HostingError.refused(
            unit: "Probe", act: "select a preset of", cause: .unknownPreset("None"), hint: "it has \"Half\", \"Late and Loud\"")
        #expect(throws: preset) { try unit.selectPreset("None") }
        try unit.allocateRenderResources()
        #expect(throws: HostingError.illegalInState(unit: "Probe", act: "set the format of", hasResources: true)) {
            try unit.setFormat(Self.stereo)
        }
        #expect(throws: HostingError.illegalInState(unit: "Probe", act: "allocate resources for", hasResources: true)) {
            try unit.allocateRenderResources()
        }
        unit.deallocateRenderResources()
        #expect(throws: HostingError.self) { try unit.setFormat(AudioFormat(sampleRate: .nan, channelCount: 2)) }
    }

    @Test func itHasALatencyWhileItHasResources() async throws {
        let unit = try await Self.unit("Probe")
        try unit.selectPreset("Late and Loud")
        #expect(unit.latency == 0)
        try unit.allocateRenderResources()
        #expect(unit.latencyFrameCount == 64)
        #expect(unit.latency * 48_000 == 64)
    }

    @Test func itIsBypassed() async throws {
        let unit = try await Self.unit("Probe")
        try unit.setValue(0.5, of: "level.gain")
        unit.shouldBypassEffect = true
        try unit.allocateRenderResources()
        let buffers = Buffers()
        let (input, output) = buffers.fill(0.5)
        for _ in 0..<4 { unit.renderBlock(input, into: output) }
        #expect(output[0][511] == 0.5)
        unit.shouldBypassEffect = false
        for _ in 0..<8 { unit.renderBlock(input, into: output) }
        #expect(output[0][511] == 0.25)
    }

    @Test func aResetUnitForgetsWhatItHolds() async throws {
        let unit = try await Self.unit("Probe")
        try unit.selectPreset("Late and Loud")
        try unit.allocateRenderResources()
        let buffers = Buffers()
        let (input, output) = buffers.fill(0.5)
        for _ in 0..<2 { unit.renderBlock(input, into: output) }
        #expect(output[0][0] == 1)
        try unit.reset()
        unit.renderBlock(input, into: output)
        #expect(output[0][0] == 0 && output[0][63] == 0)
        #expect(output[0][64] == 1)
    }

    @Test func aDeathIsCoveredByTheFallbackAndHeals() async throws {
        let unit = try await Self.unit("Misbehaver", isOffline: false)
        try unit.setValue(-0.5, of: "gain")
        try unit.allocateRenderResources()
        let buffers = Buffers()
        let (input, output) = buffers.fill(0.5)
        /// Renders a block at a driver's pace; whether the unit is heard, and it alone.
        func isHeard() -> Bool {
            usleep(10_000)
            let status = unit.renderBlock(input, into: output)
            return status == .rendered && output[0][511] == Float(-0.25)
        }
        let begins = waitUntil(milliseconds: 2000) { isHeard() }
        #expect(begins)
        // A controller that kills its process inside the block.
        try unit.send(MIDIMessage(0xB0, 3, 0))
        let ends = waitUntil(milliseconds: 2000) { !isHeard() }
        let returns = waitUntil(milliseconds: 10_000) { isHeard() }
        #expect(ends && returns)
        #expect(unit.restartCount == 1 && !unit.isQuarantined)
        #expect(unit.faults.map(\.fault).contains(.signalled(signal: SIGKILL)))
        unit.deallocateRenderResources()
        #expect(unit.restartCount == 1 && unit.faults.map(\.fault).contains(.signalled(signal: SIGKILL)))
    }

    @Test func offlineADeathCostsNothing() async throws {
        let unit = try await Self.unit("Misbehaver")
        try unit.setValue(-0.5, of: "gain")
        try unit.allocateRenderResources()
        let buffers = Buffers()
        for block in 0..<20 {
            let (input, output) = buffers.fill(Float(block) / 20)
            if block == 10, let process = unit.processIdentifier { kill(process, SIGKILL) }
            #expect(unit.renderBlock(input, into: output) == .rendered)
            let expected = Float(block) / 20 * -0.5
            #expect(output[1][511] == expected)
        }
        #expect(unit.restartCount == 1)
    }

    @Test func tasksGoOnWhileUnitsStart() async throws {
        let folder = try TemporaryFolder()
        let component = try folder.component("Fake", script: Script.silent)
        let tasks = (0..<8).map { _ in Task { try? await PluginUnit.instantiate(component) } }
        // The pool has as many threads as the machine has processors; were they waiting, this task would wait too.
        try await Task.sleep(for: .milliseconds(100))
        let started = MonotonicClock.now()
        await Task.detached {}.value
        let waited = MonotonicClock.now() - started
        #expect(waited < 1_000_000_000)
        for task in tasks {
            let unit = await task.value
            #expect(unit == nil)
        }
    }

    @Test(arguments: [1e-9, 0, 0.5, 1e30, -48_000, .infinity, .nan])
    func aRateBeyondReasonIsRefused(sampleRate: Double) async throws {
        let unit = try await Self.unit("Probe")
        #expect(throws: HostingError.self) {
            try unit.setFormat(AudioFormat(sampleRate: sampleRate, channelCount: 2))
        }
        #expect(unit.format == Self.stereo)
    }

    @Test func aBlockWithoutALengthIsRefused() async throws {
        let unit = try await Self.unit("Probe")
        try unit.allocateRenderResources()
        let buffers = Buffers()
        let (input, output) = buffers.fill(0.5)
        let nonsense = AudioBlock(channels: output.channels, channelCount: 2, frameCount: -1)
        #expect(unit.renderBlock(input, into: nonsense) == .tooManyFrames)
        #expect(unit.renderBlock(input, into: output) == .rendered)
    }

    /// The last change is published while resources are taken back.
    @Test func anObserverMayAskTheUnitAnything() async throws {
        let unit = try await Self.unit("Probe")
        try unit.allocateRenderResources()
        let asked = Atomic<Int>(0)
        let token = unit.hosted.values.addObserver { [weak unit] _, _ in
            _ = unit.map { ($0.latency, $0.faults, $0.format, $0.isQuarantined) }
            asked.wrappingAdd(1, ordering: .relaxed)
        }
        try unit.scheduleValue(0.5, of: "level.gain", at: 10)
        let buffers = Buffers()
        let (input, output) = buffers.fill(0.5)
        #expect(unit.renderBlock(input, into: output) == .rendered)
        unit.deallocateRenderResources()
        #expect(waitUntil(milliseconds: 2000) { asked.load(ordering: .relaxed) == 1 } && unit.value(of: "level.gain") == 0.5)
        unit.hosted.values.removeObserver(token)
    }

    /// Closing waits for one block at most, however tightly they follow each other.
    @Test func resourcesAreTakenBackWhileBlocksFollowEachOtherWithoutAPause() async throws {
        let unit = try await Self.unit("Probe")
        try unit.allocateRenderResources()
        let isStopped = Atomic<Bool>(false)
        let render = unit.renderBlock
        let isRendering = Atomic<Bool>(false)
        let thread = try LinuxSystem.Thread(name: "render") {
            let buffers = Buffers()
            let (input, output) = buffers.fill(0.5)
            while !isStopped.load(ordering: .relaxed) {
                if render(input, into: output) == .rendered { isRendering.store(true, ordering: .relaxed) }
            }
        }
        let isBusy = waitUntil(milliseconds: 5000) { isRendering.load(ordering: .relaxed) }
        let before = MonotonicClock.now()
        unit.deallocateRenderResources()
        let milliseconds = (MonotonicClock.now() - before) / 1_000_000
        isStopped.store(true, ordering: .relaxed)
        thread.join()
        #expect(isBusy && milliseconds < 2000, "\(milliseconds) ms")
    }
}
