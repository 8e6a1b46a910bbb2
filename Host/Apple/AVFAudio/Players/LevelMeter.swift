// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The levels of a node's sound, for the meters of players and recorders. Any thread but the render thread.

import AudioGraph
import Foundation
import Synchronization

/// Measures the levels of a node's sound.
final class LevelMeter: Sendable {
    private struct Level {
        var squares = 0.0
        var frameCount = 0
        var peak: Float = 0
    }

    private struct State {
        var tap: AudioTap?
        var measured: [Level] = []
        var shown: [Level] = []
    }

    private let state = Mutex(State())

    /// Begins to measure a node's output.
    func begin(on node: AudioNode) {
        let tap: AudioTap? = try? node.installTap(onBus: 0, bufferSize: 1024) { [weak self] buffer, _ in self?.take(buffer) }
        state.withLock { $0.tap = tap }
    }

    /// Ends measuring.
    func end() { state.withLock { state in exchange(&state.tap, with: nil) }?.remove() }

    /// Shows the levels that were measured since the last call.
    func update() { state.withLock { state in state.shown = exchange(&state.measured, with: []) } }

    /// The mean level of a channel in decibels of full scale; −160 for silence.
    func average(_ channel: Int) -> Float {
        level(channel) { $0.frameCount > 0 ? Float(($0.squares / Double($0.frameCount)).squareRoot()) : 0 }
    }

    /// The peak of a channel in decibels of full scale; −160 for silence.
    func peak(_ channel: Int) -> Float { level(channel, \.peak) }

    private func level(_ channel: Int, _ value: (Level) -> Float) -> Float {
        let level = state.withLock { $0.shown.indices.contains(channel) ? value($0.shown[channel]) : 0 }
        return level > 1e-8 ? 20 * log10(level) : -160
    }

    private func take(_ buffer: AudioPCMBuffer) {
        let samples = buffer.samples
        state.withLock { state in
            while state.measured.count < samples.channelCount { state.measured.append(Level()) }
            for channel in 0..<samples.channelCount {
                for frame in 0..<samples.frameCount {
                    let sample = samples[channel][frame]
                    state.measured[channel].squares += Double(sample * sample)
                    state.measured[channel].peak = max(state.measured[channel].peak, abs(sample))
                }
                state.measured[channel].frameCount += samples.frameCount
            }
        }
    }
}
