// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sound in place of a unit that does not render. Any thread.

/// The sound in place of a unit that does not render.
public enum Fallback: String, Codable, CaseIterable, Hashable, Sendable {
    /// The unit's input, delayed by the unit's latency.
    case dry
    /// The unit's last block, forwards and backwards in turn, until it has faded away.
    case last
    /// Silence.
    case silence
}

/// The fallback as a number, which the render thread can compare.
enum StandIn: UInt8 {
    /// No fallback: the unit itself is heard.
    case none
    case dry, lastBlock, silence

    init(_ fallback: Fallback) {
        self =
            switch fallback {
            case .dry: .dry
            case .last: .lastBlock
            case .silence: .silence
            }
    }

    @_noLocks
    func isSame(as other: StandIn) -> Bool { rawValue == other.rawValue }
}
