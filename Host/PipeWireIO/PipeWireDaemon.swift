// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Questions to the PipeWire daemon that need no node. Control thread.

import CPipeWireShims

/// The daemon that the environment names, or the one at a socket.
public enum PipeWireDaemon {
    /// `[control]` Whether a daemon answers.
    ///
    /// It takes up to three seconds if the daemon is silent.
    public static func isReachable(socketPath: String? = nil) -> Bool {
        CPipeWireShims_isReachable(socketPath, nil)
    }

    /// `[control]` Whether `sinkName` is the session's default sink and has ports.
    public static func hasDefaultSink(_ sinkName: String, socketPath: String? = nil) -> Bool {
        CPipeWireShims_isReachable(socketPath, sinkName)
    }
}
