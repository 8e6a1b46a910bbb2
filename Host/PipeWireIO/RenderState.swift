// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// All that one cycle reads and writes, in one place. Render thread, and counters for the control thread.

import CPipeWireShims
import CRealtimeShims
import Realtime
import Rendering
import Synchronization

/// The driver's render state. The control thread allocates it and reads the atomics.
struct RenderState: ~Copyable {
    /// Set before the node starts, unchanged while it runs.
    var callback: RenderCallback?
    var sampleTime: Int64 = 0
    var clock = GraphClock()
    let cycles = Atomic<UInt64>(0)
    let missedCycles = Atomic<UInt64>(0)
    let quantum = Atomic<UInt32>(0)
    let sampleRate = Atomic<UInt32>(0)
    /// The data thread's kernel id; zero before the first cycle.
    let threadIdentifier = Atomic<Int32>(0)
    /// This cycle's MIDI messages, for the render callback. Owned by the driver.
    let midi: UnsafeMutablePointer<PipeWireMIDI>

    init(midi: UnsafeMutablePointer<PipeWireMIDI>) { self.midi = midi }

    /// `[control]` Back to frame zero, while no node runs.
    mutating func reset(_ callback: RenderCallback) {
        self.callback = callback
        sampleTime = 0
        clock = GraphClock()
        cycles.store(0, ordering: .relaxed)
        missedCycles.store(0, ordering: .relaxed)
        threadIdentifier.store(0, ordering: .relaxed)
    }

    /// Publishes what the control thread may ask for.
    ///
    /// Relaxed throughout: each counter stands for itself, and only this thread writes them.
    @_noLocks
    mutating func observe(_ cycle: UnsafePointer<CPipeWireShims_Cycle>) {
        let now = cycle.pointee
        let missed = clock.missedCycles(
            identifier: now.clockIdentifier, position: now.position, frameCount: now.frameCount,
            sampleRate: now.sampleRate, isDiscontinuous: now.isDiscontinuous, wasLate: now.wasLate)
        missedCycles.add(missed, ordering: .relaxed)
        quantum.store(now.frameCount, ordering: .relaxed)
        sampleRate.store(now.sampleRate, ordering: .relaxed)
        midi.pointee = PipeWireMIDI(events: now.midi, count: Int(now.midiCount))
        if threadIdentifier.load(ordering: .relaxed) == 0 {
            threadIdentifier.store(CPipeWireShims_currentThread(), ordering: .relaxed)
        }
    }

    /// Calls the host, or plays silence without one.
    @_noLocks
    mutating func render(_ cycle: UnsafePointer<CPipeWireShims_Cycle>) {
        let now = cycle.pointee
        let frames = Int(now.frameCount)
        var request = RenderCycle(
            sampleTime: sampleTime, hostTime: now.nanoseconds, sampleRate: Double(now.sampleRate),
            transport: Transport(), isOffline: now.isFreewheeling,
            inputs: AudioBlock(channels: now.inputs, channelCount: Int(now.inputCount), frameCount: frames),
            outputs: AudioBlock(channels: now.outputs, channelCount: Int(now.outputCount), frameCount: frames))
        if let callback {
            CRealtimeShims_call(callback.function, callback.context, &request)
        } else {
            request.outputs.silence()
        }
        sampleTime &+= Int64(frames)
        cycles.add(1, ordering: .relaxed)
    }
}

/// PipeWire's process callback. `[render]` `context` is the driver's `RenderState`.
@_noLocks
func renderPipeWireCycle(_ context: UnsafeMutableRawPointer?, _ cycle: UnsafePointer<CPipeWireShims_Cycle>?) {
    guard let context, let cycle else { return }
    // SAFETY: the driver allocated a RenderState there and frees it only after the node has stopped.
    let state = context.assumingMemoryBound(to: RenderState.self)
    state.pointee.observe(cycle)
    state.pointee.render(cycle)
}
