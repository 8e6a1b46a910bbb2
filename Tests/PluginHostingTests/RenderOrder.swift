// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The orders in which a row's units can render. All of them must sound the same.

import PluginHosting

enum RenderOrder: CaseIterable {
    /// One after the other.
    case serial
    /// All at the same time, each another block.
    case pipelined
    /// As `pipelined`, while the caller does something else.
    case ahead

    func policy(_ policy: UnitPolicy = UnitPolicy(), frameCount: Int) -> UnitPolicy {
        self == .serial ? policy : policy.pipelined(frameCount: frameCount, rendersAhead: self == .ahead)
    }

    /// The latency of `unitCount` units, in blocks.
    func latency(unitCount: Int) -> Int {
        switch self {
        case .serial: 0
        case .pipelined: unitCount - 1
        case .ahead: unitCount
        }
    }
}
