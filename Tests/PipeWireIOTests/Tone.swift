// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A sine as a render callback. Render thread.

import Glibc
import Realtime
import Rendering
import Synchronization

/// The callback's context, in memory that outlives the driver.
struct ToneState: ~Copyable {
    var phase: Double = 0
    var frequency: Double
    var amplitude: Float
    let peakOfInput = Atomic<UInt32>(0)
    let framesRendered = Atomic<Int64>(0)
    let discontinuities = Atomic<Int>(0)
}

/// Owns the state and makes the callback.
final class Tone: @unchecked Sendable {
    // SAFETY: the tests read the atomics only, and stop the driver before this object ends.
    let state: UnsafeMutablePointer<ToneState>

    init(frequency: Double, amplitude: Float) {
        state = .allocate(capacity: 1)
        state.initialize(to: ToneState(frequency: frequency, amplitude: amplitude))
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    var callback: RenderCallback { RenderCallback(function: renderTone, context: UnsafeMutableRawPointer(state)) }
    var framesRendered: Int64 { state.pointee.framesRendered.load(ordering: .relaxed) }
    var discontinuities: Int { state.pointee.discontinuities.load(ordering: .relaxed) }
    var peakOfInput: Float { Float(bitPattern: state.pointee.peakOfInput.load(ordering: .relaxed)) }
}

@_noLocks
func renderTone(_ context: UnsafeMutableRawPointer?, _ cycle: UnsafeRawPointer?) {
    guard let context, let cycle else { return }
    let state = context.assumingMemoryBound(to: ToneState.self)
    let request = cycle.assumingMemoryBound(to: RenderCycle.self).pointee
    if request.sampleTime != state.pointee.framesRendered.load(ordering: .relaxed) {
        state.pointee.discontinuities.add(1, ordering: .relaxed)
    }
    play(state, request)
    if request.inputs.channelCount > 0 {
        state.pointee.peakOfInput.store(request.inputs.peak(ofChannel: 0).bitPattern, ordering: .relaxed)
    }
    state.pointee.framesRendered.add(Int64(request.frameCount), ordering: .relaxed)
}

@_noLocks
private func play(_ state: UnsafeMutablePointer<ToneState>, _ request: RenderCycle) {
    let step = 2 * Double.pi * state.pointee.frequency / request.sampleRate
    for frame in 0..<request.frameCount {
        let sample = Float(Maths.sin(state.pointee.phase)) * state.pointee.amplitude
        for channel in 0..<request.outputs.channelCount { request.outputs[channel][frame] = sample }
        state.pointee.phase += step
    }
}

/// Takes 8 ms at every quantum, and therefore promises nothing to the compiler.
func renderTooSlowly(_ context: UnsafeMutableRawPointer?, _ cycle: UnsafeRawPointer?) {
    usleep(8000)
    renderTone(context, cycle)
}
