// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sums signals, each with a volume and a pan of its own. Set by any thread.

/// A mixer: strips whose signals are added up.
public final class Mixer: Sendable {
    /// The level of each input.
    public let strips: [MixingState]
    let connections: [ConnectionState]
    let level = MixerLevel()

    /// A mixer with `inputCount` strips at unity gain, in the centre.
    public init(inputCount: Int) {
        strips = (0..<inputCount).map { _ in MixingState() }
        connections = strips.map { ConnectionState(mixing: $0) }
    }
}
