// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads a plug-in's latency port, if its value is plausible. Render thread.

/// Latencies that classic plug-ins report as the values of ports.
public enum Latency {
    /// The longest latency that hosts accept, in frames.
    private static var longestFrameCount: Int {
        @_noLocks get { 1_048_576 }
    }

    /// `[render]` The latency of a port plus that of the bridge, in frames.
    ///
    /// A value that is negative, NaN or beyond the limit counts as zero.
    @_noLocks
    public static func frameCount(reported: Float, added: Int = 0) -> Int {
        let limit = longestFrameCount &- added
        return (reported >= 0 && reported <= Float(limit) ? Int(reported) : 0) &+ added
    }
}
