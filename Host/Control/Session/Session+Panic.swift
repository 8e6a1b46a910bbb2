// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Ends all notes at once, for a note that hangs. Any thread.

import GraphDocuments
import JSON
import PluginHosting
import Rendering

extension Session {
    /// Ends all notes and sound of all instruments, and raises their pedals, on every channel and cable.
    ///
    /// Scenes that ring out are among them. Each instrument takes it with its next block. The answer has the number of instruments.
    @discardableResult
    func panic() -> JSONValue {
        let graphs = state.withLock { [$0.graph] + $0.ringing.map(\.graph) }
        let instruments = graphs.flatMap(\.units).map(\.unit.hosted).filter { $0.description.flags.contains(.midiInput) }
        for instrument in instruments { instrument.port.panic() }
        return .object(["instruments": .count(instruments.count)])
    }
}
