// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// All that one cycle reads and writes, in one place. Render thread, and counters for the control thread.

import CPipeWireShims
import CRealtimeShims
import Realtime
import Rendering
import Synchronization

/// What the control thread may ask for while a node runs. Words at one address while the driver lives: the render thread
/// has the rest of the state for itself.
struct RenderWords: ~Copyable {
    let cycles = Atomic<UInt64>(0)
    let missedCycles = Atomic<UInt64>(0)
    let quantum = Atomic<UInt32>(0)
    let sampleRate = Atomic<UInt32>(0)
    /// The data thread's kernel id; zero before the first cycle.
    let threadIdentifier = Atomic<Int32>(0)

    /// `[control]` Back to no cycle, while no node runs.
    func reset() {
        cycles.store(0, ordering: .relaxed)
        missedCycles.store(0, ordering: .relaxed)
        threadIdentifier.store(0, ordering: .relaxed)
    }
}

/// The driver's render state. The control thread allocates it.
struct RenderState: ~Copyable {
    let words: UnsafeMutablePointer<RenderWords>
    /// Set before the node starts, unchanged while it runs.
    private var callback: RenderCallback?
    private var sampleTime: Int64 = 0
    private var clock = GraphClock()
    /// This cycle's MIDI messages, for the render callback. Owned by the driver.
    private let midi: UnsafeMutablePointer<PipeWireMIDI>

    init(midi: UnsafeMutablePointer<PipeWireMIDI>) {
        self.midi = midi
        words = .allocate(capacity: 1)
        words.initialize(to: RenderWords())
    }

    deinit {
        words.deinitialize(count: 1)
        words.deallocate()
    }

    /// `[control]` Back to frame zero, while no node runs.
    mutating func reset(_ callback: RenderCallback) {
        self.callback = callback
        sampleTime = 0
        clock = GraphClock()
        words.pointee.reset()
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
        words.pointee.missedCycles.add(missed, ordering: .relaxed)
        words.pointee.quantum.store(now.frameCount, ordering: .relaxed)
        words.pointee.sampleRate.store(now.sampleRate, ordering: .relaxed)
        midi.pointee = PipeWireMIDI(events: now.midi, count: Int(now.midiCount))
        if words.pointee.threadIdentifier.load(ordering: .relaxed) == 0 {
            words.pointee.threadIdentifier.store(CPipeWireShims_currentThread(), ordering: .relaxed)
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
        words.pointee.cycles.add(1, ordering: .relaxed)
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
