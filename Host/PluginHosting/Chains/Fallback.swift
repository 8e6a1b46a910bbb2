// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What is heard in place of a unit that does not render. Any thread.

/// What a chain plays while a unit of it is away.
public enum Fallback: String, Codable, CaseIterable, Hashable, Sendable {
    /// What goes into the unit, as late as its output would be.
    case dry
    /// The last block that was heard of it, forth and back, until it has faded away.
    case last
    case silence
}

/// The same for the render thread, which compares numbers only.
enum StandIn: UInt8 {
    /// The unit itself is heard, and nothing else.
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
