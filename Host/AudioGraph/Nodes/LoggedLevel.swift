// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A level as a log of the engine knows it: that of a connection to a mixer, or that of a mixer's output. Any thread.

/// A level that the render thread notes as it takes it, and that a replay sets again.
package protocol LoggedLevel: AnyObject, Sendable {
    /// What the log calls it.
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
