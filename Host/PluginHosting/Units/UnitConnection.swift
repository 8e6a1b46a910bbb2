// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The way of control messages to a unit, wherever it runs. Control threads.

import Confinement
import ControlMessages
import LinuxSystem

/// Asks a unit and waits for its answer.
protocol UnitConnection: AnyObject, Sendable {
    /// Sends a message and returns the answer. Throws the fault when there is none in time.
    func ask(_ message: HostMessage, descriptors: [Int32], timeoutMilliseconds: Int32) throws(PluginFault) -> PluginMessage
    /// The process of its own that the unit has, or nil.
    var process: ChildProcess? { get }
}

extension UnitConnection {
    /// Milliseconds that a unit has for an ordinary answer.
    static var answerTimeout: Int32 { 5000 }

    func ask(_ message: HostMessage) throws(PluginFault) -> PluginMessage {
        try ask(message, descriptors: [], timeoutMilliseconds: Self.answerTimeout)
    }
}
