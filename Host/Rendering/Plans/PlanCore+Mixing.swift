// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Adds up the signals of a mixer, or passes one on in place. Render thread.

import CRealtimeShims
import Realtime

extension PlanCore {
    /// Adds up the signals of a mixer's connections.
    @_noLocks
    func mix(_ step: Step, _ mixer: UnsafeMutablePointer<MixerLevel.Core>) {
        let bus = tables.signals + step.firstOutput
        bus.pointee.isSilent = true
        for input in step.firstInput..<step.firstInput &+ step.inputCount {
            let first = tables.inputs[input].firstEdge
            for index in first..<first &+ tables.inputs[input].edgeCount {
                let edge = tables.edges[index]
                aim(edge, tables.signals[edge.source], step.inputClock)
                add(edge, to: bus, sum: step.sum, step.inputClock)
            }
        }
        if let finish = step.finish {
            finishCall.initialize(to: FinishCall(cycle: clocks.cycles + step.clock, output: bus))
            CRealtimeShims_call(finish, step.sum, finishCall)
        }
        mixer.pointee.aim(glideFrameCount: glideFrameCount(step.clock), clocks.cycles[0].log)
        applyLevel(of: mixer, to: bus)
    }

    /// Passes a mixer's only signal on in place, unless a level, a fade or a delay changes it.
    @_noLocks
    func handOn(_ step: Step, _ mixer: UnsafeMutablePointer<MixerLevel.Core>) {
        let edge = tables.edges[tables.inputs[step.firstInput].firstEdge]
        aim(edge, tables.signals[edge.source], step.inputClock)
        mixer.pointee.aim(glideFrameCount: glideFrameCount(step.clock), clocks.cycles[0].log)
        if isPlain(edge), !mixer.pointee.gain.isMoving, mixer.pointee.gain.current == 1 {
            edge.core.pointee.publish()
            tables.signals[step.firstOutput] = tables.signals[edge.source]
        } else {
            let bus = tables.signals + step.firstOutput
            bus.pointee.isSilent = true
            add(edge, to: bus, sum: nil, step.inputClock)
            applyLevel(of: mixer, to: bus)
        }
    }

    /// True if a connection whose targets are set changes nothing in this cycle.
    @_noLocks
    private func isPlain(_ edge: Edge) -> Bool {
        edge.core.pointee.isSteady && edge.core.pointee.fade.current == 1 && edge.core.pointee.left.current == 1
            && edge.core.pointee.right.current == 1 && edge.core.pointee.line.isIdle(edge.delayFrameCount)
    }

    /// Makes a mixer write into the driver's memory, if that has as many channels.
    @_noLocks
    func aimAtDriver(_ step: Step, _ frameCount: Int) {
        let outputs = clocks.cycles[0].outputs
        let count = outputs.channelCount &- clocks.cycles[0].furtherOutputCount
        guard count == tables.outputs[step.firstOutput].channelCount, outputs.frameCount == frameCount else { return }
        tables.signals[step.firstOutput].block = AudioBlock(
            channels: outputs.channels, channelCount: count, frameCount: frameCount)
    }

    /// Applies a mixer's level to its sum.
    @_noLocks
    private func applyLevel(of mixer: UnsafeMutablePointer<MixerLevel.Core>, to bus: UnsafeMutablePointer<BusAudio>) {
        let block = bus.pointee.block
        if bus.pointee.isSilent { _ = mixer.pointee.gain.advance(by: block.frameCount) } else { apply(mixer, to: block) }
    }

    @_noLocks
    private func apply(_ mixer: UnsafeMutablePointer<MixerLevel.Core>, to block: AudioBlock) {
        if mixer.pointee.gain.isMoving {
            let gains = tables.gains
            for frame in 0..<block.frameCount { gains[frame] = mixer.pointee.gain.next() }
            for channel in 0..<block.channelCount {
                let samples = block[channel]
                for frame in 0..<block.frameCount { samples[frame] *= gains[frame] }
            }
        } else if mixer.pointee.gain.current != 1 {
            block.copy(from: block, gain: mixer.pointee.gain.current)
        }
    }
}
