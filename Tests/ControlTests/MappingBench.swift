// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What tests of mappings use: clients that wait on threads of their own, and a driver that keeps what goes out. Test thread.

import AudioGraph
import Foundation
import JSON
import LinuxSystem
import Rendering
import Synchronization
import TestSupport
import Testing

@testable import Control

/// Whether something becomes true; see ``Patience``.
func becomes(within seconds: Double = 10, _ condition: () throws -> Bool) -> Bool {
    Patience.until(within: seconds) { (try? condition()) == true }
}

/// A call of a client that is answered later.
final class PendingCall: Sendable {
    private let answer = Mutex<Result<JSONValue, any Error>?>(nil)

    init(_ client: ControlClient, _ method: String, _ fields: [String: JSONValue]) throws {
        // SAFETY: the thread alone uses the client from here on.
        nonisolated(unsafe) let client = client
        let thread = try LinuxSystem.Thread(name: "client") { [self] in
            let result = Result { try client.call(method, fields) }
            answer.withLock { $0 = result }
        }
        thread.detach()
    }

    /// The answer; nil while there is none.
    var result: Result<JSONValue, any Error>? { answer.withLock { $0 } }

    /// The value of the answer; waits for it.
    func value() throws -> JSONValue {
        #expect(becomes { self.result != nil })
        return try #require(result).get()
    }
}

/// A timer as a driver, with a port for MIDI that keeps what goes out.
final class CableDriver: AudioDriver {
    private let timer = NullDriver(channelCount: 2, quantum: 256, sampleRate: 48_000)
    private let sent = Mutex<[[UInt8]]>([])
    /// Whether something is linked to the port.
    let isLinked = Atomic<Bool>(true)

    func sendMIDI(_ bytes: [UInt8]) -> Bool {
        guard isLinked.load(ordering: .relaxed) else { return false }
        sent.withLock { $0.append(bytes) }
        return true
    }

    /// What has gone out since the last call.
    func take() -> [[UInt8]] {
        sent.withLock { sent in
            defer { sent = [] }
            return sent
        }
    }

    func start(_ callback: RenderCallback) throws { try timer.start(callback) }
    func stop() { timer.stop() }
    var status: DriverStatus { timer.status }
    var outputChannelCount: Int { timer.outputChannelCount }
    var renderThreadIdentifier: Int32? { timer.renderThreadIdentifier }
    var failure: String? { nil }
    func tellOfFailure(event: Int32) {}
}
