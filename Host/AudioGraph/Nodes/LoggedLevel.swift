// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A level as a log of the engine records it: of a connection to a mixer, or of a mixer's output. Any thread.

/// A level whose changes the render thread logs, and a replay sets again.
package protocol LoggedLevel: AnyObject, Sendable {
    /// The identity of the level in the log.
    var logIdentity: UInt { get }
    /// Sets it from the next cycle on; an output has no pan.
    func setLevel(volume: Float, pan: Float)
}

extension AudioMixingDestination: LoggedLevel {
    /// Sets gain and pan of this connection alone.
    package func setLevel(volume: Float, pan: Float) { (self.volume, self.pan) = (volume, pan) }
}

extension AudioMixerNode: LoggedLevel {
    /// Sets the gain of the output.
    package func setLevel(volume: Float, pan _: Float) { outputVolume = volume }
}

extension AudioEnvironmentNode: LoggedLevel {
    /// Sets the gain of the output.
    package func setLevel(volume: Float, pan _: Float) { outputVolume = volume }
}
