// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Adds signals, each with its own volume and pan. Test thread.

import Rendering

/// A mixer: strips whose signals are added.
package final class Mixer: Sendable {
    /// The level of each input.
    package let strips: [MixingState]
    let connections: [ConnectionState]
    let level = MixerLevel()

    /// Makes a mixer with `inputCount` strips at unity gain, in the centre.
    package init(inputCount: Int) {
        strips = (0..<inputCount).map { _ in MixingState() }
        connections = strips.map { ConnectionState(mixing: $0) }
    }
}
