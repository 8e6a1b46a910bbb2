// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Shares headphones among a user's devices; PipeWire does not know of other devices. Any thread.

import Foundation

/// Shares headphones among the devices of a user on Apple's systems; here every call succeeds and changes nothing.
public final class AVAudioRoutingArbiter: NSObject, Sendable {
    private static let arbiter = AVAudioRoutingArbiter()

    /// The purpose of the headphones.
    public enum Category: Int, Sendable {
        /// Playing.
        case playback = 0
        /// Playing and recording.
        case playAndRecord = 1
        /// Calls.
        case playAndRecordVoice = 2
    }

    /// The one arbiter.
    public class var shared: AVAudioRoutingArbiter { arbiter }

    /// Calls the handler at once, on a thread of Dispatch's, with no changed device and no error.
    public func begin(category: Category, completionHandler handler: @escaping (Bool, (any Error)?) -> Void) {
        // SAFETY: it is called once, as the program knows.
        nonisolated(unsafe) let handler = handler
        DispatchQueue.global().async { handler(false, nil) }
    }

    /// False: the default device has not changed.
    public func begin(category: Category) async throws -> Bool { false }

    /// Releases the headphones: does nothing here.
    public func leave() {}
}
