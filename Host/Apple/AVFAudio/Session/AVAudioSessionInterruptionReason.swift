// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Why sound is interrupted. Any thread.

extension AVAudioSession {
    /// Why sound is interrupted.
    ///
    /// PipeWire never interrupts a program.
    public enum InterruptionReason: UInt, Sendable {
        /// By another program.
        case `default` = 0
        /// The program was suspended.
        case appWasSuspended = 1
        /// The microphone was muted.
        case builtInMicMuted = 2
        /// The device has gone.
        case routeDisconnected = 4
    }
}
