// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Seals edits and scenes, so that a replay knows which rights the user had given their units. Any thread.

import FoundationEssentials
import PluginHosting

extension CapturedEvent {
    /// The event with the mark of this user's host.
    var sealed: CapturedEvent {
        var sealed = self
        sealed.seal = DocumentSeal.current.mark(plain).map { Data($0) }
        return sealed
    }

    /// Whether this user's host wrote the event, and it is unchanged; its units had rights that the user had given them.
    package var isOwn: Bool {
        guard let seal else { return false }
        return DocumentSeal.current.isMark(Array(seal), of: plain)
    }

    /// What the seal is about: all but the seal.
    private var plain: [UInt8] {
        var plain = self
        plain.seal = nil
        return plain.line
    }
}
