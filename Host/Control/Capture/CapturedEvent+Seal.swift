// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Seals edits and scenes, so that a replay knows the rights that the user had given their units. Any thread.

import FoundationEssentials
import PluginHosting

extension CapturedEvent {
    /// The event with the seal of this user's host, for the capture with this identifier.
    func sealed(in capture: String) -> CapturedEvent {
        var sealed = self
        sealed.seal = DocumentSeal.current.mark(plain(in: capture)).map { Data($0) }
        return sealed
    }

    /// True if this user's host wrote the event into this capture, and it is unchanged.
    ///
    /// If so, the user had given its units their rights.
    package func isOwn(in capture: String) -> Bool {
        guard let seal else { return false }
        return DocumentSeal.current.isMark(Array(seal), of: plain(in: capture))
    }

    /// The bytes that the seal covers: the capture, and all of the event but the seal.
    private func plain(in capture: String) -> [UInt8] {
        var plain = self
        plain.seal = nil
        // No other sealed document begins with this line.
        return Array("event of the capture \(capture)\n".utf8) + plain.line
    }
}
