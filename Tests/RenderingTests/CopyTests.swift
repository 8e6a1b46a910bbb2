// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which signals a plan hands on where they lie, and that no bit depends on it. Test thread.

import Realtime
import RenderingTestSupport
import Testing

@testable import Rendering

@Suite struct CopyTests {
    private let player = PlanPlayer()

    /// A plan in which `end` hears what `build` makes of the driver's input.
    private func play(_ end: Observer, _ build: (inout RenderPlanBuilder, Signal) -> Signal = { $1 }) {
        var builder = RenderPlanBuilder(channelCount: 2, maximumFrameCount: 64)
        let input = builder.add(source: DriverInput())
        let signal = build(&builder, input)
        player.play(builder.plan(output: builder.add(end, after: signal)))
    }

    private func driver(_ input: Float) -> SteppedDriver {
        let driver = SteppedDriver(channelCount: 2, inputChannelCount: 2, maximumFrameCount: 64, sampleRate: 48_000)
        driver.start(player.callback)
        let block = driver.input(frameCount: 64)
        for channel in 0..<2 { for frame in 0..<64 { block[channel][frame] = input } }
        return driver
    }

    @Test func theDriversInputIsReadWhereItLies() {
        let observer = Observer()
        play(observer)
        let driver = driver(0.5)
        driver.render(frameCount: 64)
        #expect(observer.seen.input == UInt(bitPattern: driver.input(frameCount: 64)[0]))
    }

    @Test func plainMixersInARowHandOnWhatTheyHear() {
        let (observer, first, second, last) = (Observer(), Mixer(inputCount: 1), Mixer(inputCount: 1), Mixer(inputCount: 1))
        play(observer) { builder, input in
            builder.add(last, of: [builder.add(second, of: [builder.add(first, of: [input])])])
        }
        let driver = driver(-0.0)
        for _ in 0..<2 { driver.render(frameCount: 64) }
        // The last one is read by another node, so it makes +0 of −0 as all of them did.
        #expect(observer.seen.input != UInt(bitPattern: driver.input(frameCount: 64)[0]) && observer.seen.bits == 0)
    }

    @Test func aMixerWhoseLevelMovesWritesWhatIsHeard() {
        let (first, last) = (Mixer(inputCount: 1), Mixer(inputCount: 2))
        var builder = RenderPlanBuilder(channelCount: 2, maximumFrameCount: 64)
        let input = builder.add(source: DriverInput())
        let mixed = builder.add(last, of: [builder.add(first, of: [input]), builder.add(source: Constant(0.25))])
        player.play(builder.plan(output: mixed))
        let driver = driver(0.5)
        #expect((0..<64).allSatisfy { driver.render(frameCount: 64)[1][$0] == 0.75 })
        first.strips[0].volume = 0.5
        var level = Float(0.75)
        for _ in 0..<14 {
            let block = driver.render(frameCount: 64)
            #expect(block[0][0] <= level && block[0][63] < block[0][0])
            level = block[0][63]
        }
        for _ in 0..<4 { driver.render(frameCount: 64) }
        #expect(driver.render(frameCount: 64)[0][63] == 0.5)
        first.strips[0].volume = 1
        for _ in 0..<20 { driver.render(frameCount: 64) }
        #expect(driver.render(frameCount: 64)[0][63] == 0.75)
    }

    /// A signal that a mixer hands on stays as it is until the mixer's last reader has read it.
    @Test func whatIsHandedOnIsNotOverwritten() {
        let (first, last) = (Mixer(inputCount: 1), Mixer(inputCount: 5))
        var builder = RenderPlanBuilder(channelCount: 2, maximumFrameCount: 64)
        let handed = builder.add(first, of: [builder.add(source: Constant(0.5))])
        let others = (0..<4).map { builder.add(Observer(), after: builder.add(source: Constant(Float($0)))) }
        player.play(builder.plan(output: builder.add(last, of: others + [handed])))
        let driver = driver(0)
        for _ in 0..<2 { #expect((0..<64).allSatisfy { driver.render(frameCount: 64)[0][$0] == 6.5 }) }
    }

    @Test func theLastMixerWritesIntoTheDriversMemory() {
        let (observer, level) = (Observer(isDriverOutput: true), MixerLevel())
        var graph = RenderGraph(maximumFrameCount: 64)
        for value in [0.25, 0.5] as [Float] {
            graph.nodes.append(RenderGraph.Node(.render(Constant(value)), inputChannelCounts: [], outputChannelCounts: [2]))
        }
        graph.nodes.append(RenderGraph.Node(.mix(level), inputChannelCounts: [2, 2], outputChannelCounts: [2]))
        graph.nodes.append(RenderGraph.Node(.render(observer), inputChannelCounts: [2], outputChannelCounts: [], isSink: true))
        for bus in 0..<2 {
            graph.connections.append(.init(from: .init(node: bus), to: .init(node: 2, bus: bus)))
        }
        graph.connections.append(.init(from: .init(node: 2), to: .init(node: 3)))
        do throws(RenderGraphError) { player.play(try RenderPlan(graph)) } catch { Issue.record("\(error)") }
        let driver = driver(0)
        let block = driver.render(frameCount: 64)
        #expect(observer.seen.input == UInt(bitPattern: block[0]) && block[1][63] == 0.75)
    }
}

/// Passes its input on, and remembers where the first channel lay.
private final class Observer: RenderNode {
    struct Seen {
        var input: UInt = 0
        /// The bits of the first sample.
        var bits: UInt32 = 1
    }

    let isDriverOutput: Bool
    // SAFETY: the test reads it between cycles, which it renders itself.
    nonisolated(unsafe) private let memory: UnsafeMutablePointer<Seen>

    init(isDriverOutput: Bool = false) {
        self.isDriverOutput = isDriverOutput
        memory = .allocate(capacity: 1)
        memory.initialize(to: Seen())
    }

    deinit { memory.deallocate() }

    var seen: Seen { memory.pointee }
    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(memory) }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            Observer.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        context.assumingMemoryBound(to: Seen.self).pointee = Seen(
            input: UInt(bitPattern: call.input[0]), bits: call.input[0][0].bitPattern)
        call.output.copy(from: call.input)
    }
}
