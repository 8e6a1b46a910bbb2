// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Questions to the PipeWire daemon that need no node. Control thread.

import CPipeWireShims

/// The daemon that the environment names, or the one at a socket.
public enum PipeWireDaemon {
    /// `[control]` Whether a daemon answers; takes up to three seconds if one is there and silent.
    public static func isReachable(socketPath: String? = nil) -> Bool {
        CPipeWireShims_isReachable(socketPath, nil)
    }

    /// `[control]` Whether the session has made `sinkName` its default sink and given it ports.
    public static func hasDefaultSink(_ sinkName: String, socketPath: String? = nil) -> Bool {
        CPipeWireShims_isReachable(socketPath, sinkName)
    }
}
