// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The channel for control messages to a unit, in process or out of process. Control threads.

import Confinement
import ControlMessages
import LinuxSystem

/// Sends requests to a unit and waits for its replies.
protocol UnitConnection: AnyObject, Sendable {
    /// Sends a message and returns the reply.
    ///
    /// Throws the fault if none arrives in time.
    func ask(_ message: HostMessage, descriptors: [Int32], timeoutMilliseconds: Int32) throws(PluginFault) -> PluginMessage
    /// The unit's process; nil in the host's process.
    var process: ChildProcess? { get }
    /// The version of the protocol in the unit's answer to the greeting; 0 before.
    var protocolVersion: UInt32 { get }
}

extension UnitConnection {
    /// The milliseconds that a unit has for an ordinary reply.
    static var answerTimeout: Int32 { 5000 }

    func ask(_ message: HostMessage) throws(PluginFault) -> PluginMessage {
        try ask(message, descriptors: [], timeoutMilliseconds: Self.answerTimeout)
    }
}
