// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A driver that the test steps, whose buses come and go. Test thread.

import LinuxSystem
import Realtime
import Rendering
import Synchronization

/// A driver of two main inputs and outputs, and six further ones, whose inputs are 0.1, 0.2 and so on.
package final class BusDriver: AudioDriver {
    package init() {}

    private let state = Mutex(State())

    private struct State {
        var callback: RenderCallback?
        var sampleTime: Int64 = 0
        var buses: [(bus: DriverBus, isInput: Bool, places: Range<Int>)] = []
    }

    package let capabilities: DriverCapabilities = .changingBuses
    package func start(_ callback: RenderCallback) { state.withLock { ($0.callback, $0.sampleTime) = (callback, 0) } }
    package func stop() { state.withLock { $0.callback = nil } }
    package var outputChannelCount: Int { 2 }
    package var status: DriverStatus { DriverStatus(sampleRate: 48_000, quantum: 256, cycles: 0, xruns: 0) }
    package var renderThreadIdentifier: Int32? { nil }
    package var failure: String? { nil }
    package func tellOfFailure(event: Int32) {}
    package func isBusLinked(named name: String) -> Bool { true }

    package func addBus(_ bus: DriverBus, isInput: Bool) throws(DriverBusError) -> Int {
        try state.withLock { state throws(DriverBusError) in
            let taken = state.buses.filter { $0.isInput == isInput }.map(\.places)
            let start = ([0] + taken.map(\.upperBound)).sorted().first { start in
                !taken.contains { $0.overlaps(start..<start + bus.channelCount) }
            }
            guard let start, start + bus.channelCount <= 6 else { throw .noRoom }
            state.buses.append((bus, isInput, start..<start + bus.channelCount))
            return start
        }
    }

    package func removeBus(named name: String) { state.withLock { $0.buses.removeAll { $0.bus.name == name } } }

    package func hasBus(named name: String) -> Bool { busNames.contains(name) }

    package var busNames: [String] { state.withLock { $0.buses.map(\.bus.name) } }

    /// Renders 8192 frames, and returns the last one of all outputs, rounded to thousandths.
    package func render() -> [Float] {
        let input = AudioBuffer(channelCount: 8, frameCapacity: 256)
        let output = AudioBuffer(channelCount: 8, frameCapacity: 256)
        let (inputs, outputs) = (input.block(frameCount: 256), output.block(frameCount: 256))
        for channel in 0..<8 { for frame in 0..<256 { inputs[channel][frame] = Float(channel + 1) / 10 } }
        for _ in 0..<32 {
            for channel in 0..<8 { for frame in 0..<256 { outputs[channel][frame] = 9 } }
            state.withLock { state in
                var cycle = RenderCycle(
                    sampleTime: state.sampleTime, hostTime: MonotonicClock.now(), sampleRate: 48_000, transport: Transport(),
                    isOffline: true, inputs: inputs, outputs: outputs)
                (cycle.furtherInputCount, cycle.furtherOutputCount) = (6, 6)
                if let callback = state.callback { withUnsafePointer(to: cycle) { callback.function(callback.context, $0) } }
                state.sampleTime += 256
            }
        }
        return (0..<8).map { (outputs[$0][255] * 1000).rounded() / 1000 }
    }
}
