// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// MIDI that a program sends out of the host, such as the positions of motor faders. Any thread but the render thread.

import Rendering

extension AudioEngine {
    /// Has a message of one to three bytes go out by the driver's port for MIDI, with the next cycle.
    ///
    /// False where the driver has no such port, while the port is linked to nothing, and while too many messages wait.
    public func sendMIDI(_ bytes: [UInt8]) -> Bool {
        guard (1...3).contains(bytes.count) else { return false }
        guard case .driver(let driver) = state.withLock({ $0.mode }) else { return false }
        return driver.sendMIDI(bytes)
    }
}
