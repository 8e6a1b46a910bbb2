// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A driver that the test steps, whose rate changes when the test says so, and whose cycles have no limit. Test thread.

import Glibc
import LinuxSystem
import Realtime
import Rendering
import Synchronization

/// A driver without a clock: the test renders its cycles, offline, at a rate that it may change.
final class ChangingDriver: AudioDriver {
    private let state: Mutex<State>

    private struct State {
        var callback: RenderCallback?
        var sampleTime: Int64 = 0
        var rate: Double
        var outputKind: DriverOutputKind?
    }

    init(rate: Double) { state = Mutex(State(rate: rate)) }

    func start(_ callback: RenderCallback) { state.withLock { ($0.callback, $0.sampleTime) = (callback, 0) } }
    func stop() { state.withLock { $0.callback = nil } }
    var outputChannelCount: Int { 2 }
    var status: DriverStatus { DriverStatus(sampleRate: state.withLock { $0.rate }, quantum: 256, cycles: 0, xruns: 0) }
    var renderThreadIdentifier: Int32? { nil }
    var failure: String? { nil }
    func tellOfFailure(event: Int32) {}

    var outputKind: DriverOutputKind? { state.withLock { $0.outputKind } }

    /// Plugs headphones or loudspeakers in.
    func plug(in kind: DriverOutputKind?) { state.withLock { $0.outputKind = kind } }
    func change(to rate: Double) { state.withLock { $0.rate = rate } }

    /// Renders cycles of at most `length` frames, and returns the right channel.
    func render(_ frameCount: Int, length: Int = 256) -> [Float] {
        let output = AudioBuffer(channelCount: 2, frameCapacity: length)
        let none = AudioBuffer(channelCount: 0, frameCapacity: length)
        var samples: [Float] = []
        while samples.count < frameCount {
            let count = min(length, frameCount - samples.count)
            let block = output.block(frameCount: count)
            state.withLock { state in
                guard let callback = state.callback else { return block.silence() }
                let cycle = RenderCycle(
                    sampleTime: state.sampleTime, hostTime: MonotonicClock.now(), sampleRate: state.rate, transport: Transport(),
                    isOffline: true, inputs: none.block(frameCount: count), outputs: block)
                withUnsafePointer(to: cycle) { callback.function(callback.context, $0) }
                state.sampleTime += Int64(count)
            }
            samples += UnsafeBufferPointer(start: block[1], count: count)
        }
        return samples
    }
}
