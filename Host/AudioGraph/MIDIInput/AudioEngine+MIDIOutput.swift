// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sends a program's MIDI out of the host, such as the positions of motor faders. Any thread but the render thread.

import Rendering

extension AudioEngine {
    /// Sends a message of one to three bytes through the driver's port for MIDI, with the next cycle.
    ///
    /// Returns false if the driver has no such port, the port is linked to nothing, or too many messages wait.
    public func sendMIDI(_ bytes: [UInt8]) -> Bool {
        guard (1...3).contains(bytes.count) else { return false }
        guard case .driver(let driver) = state.withLock({ $0.mode }) else { return false }
        return driver.sendMIDI(bytes)
    }
}
