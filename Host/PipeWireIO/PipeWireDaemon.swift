// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Queries to the PipeWire daemon that need no node. Control thread.

import CPipeWireShims

/// The daemon of the environment, or the one at a socket.
public enum PipeWireDaemon {
    /// `[control]` True if a daemon answers.
    ///
    /// A silent daemon takes up to three seconds.
    public static func isReachable(socketPath: String? = nil) -> Bool {
        CPipeWireShims_isReachable(socketPath, nil)
    }

    /// `[any]` True if a graph has cycles of any length that a node forces, and not of powers of two alone.
    ///
    /// A length that a node merely asks for is rounded down to a power of two by every version. The version of the library stands for
    /// that of the daemon.
    package static var takesAnyQuantum: Bool { CPipeWireShims_isAtLeast(0, 3, 82) }

    /// `[control]` True if `sinkName` is the session's default sink and has ports.
    public static func hasDefaultSink(_ sinkName: String, socketPath: String? = nil) -> Bool {
        CPipeWireShims_isReachable(socketPath, sinkName)
    }
}
