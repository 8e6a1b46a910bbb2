// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sends MIDI messages to an instrument, and keeps them while it has no resources. Any thread but the render thread.

import AudioUnits
import PluginHosting
import Synchronization

/// The messages that an instrument got before it had resources.
final class WaitingMessages: Sendable {
    /// The largest number of kept messages; the newest stay.
    static let most = 1024
    fileprivate let messages = Mutex<[MIDIMessage]>([])
}

extension UnitBody {
    /// Sends a message, or keeps it until the unit has resources.
    ///
    /// The engine keeps an error of the unit, and throws it from its next call that throws.
    func send(_ message: MIDIMessage, _ node: AudioNode) {
        guard let waiting else { return deliver(message, node) }
        // Under the lock, `prepare` cannot miss the message, and waiting messages are sent before it.
        waiting.messages.withLock { messages in
            guard row == nil || !messages.isEmpty else { return deliver(message, node) }
            messages.append(message)
            if messages.count > WaitingMessages.most { messages.removeFirst() }
        }
    }

    /// Sends the waiting messages, once the unit has resources.
    func sendWaiting(_ node: AudioNode) {
        waiting?.messages.withLock { messages in
            guard row != nil else { return }
            for message in messages { deliver(message, node) }
            messages = []
        }
    }

    private func deliver(_ message: MIDIMessage, _ node: AudioNode) {
        do throws(HostingError) {
            try plugin?.send(message)
        } catch {
            node.engine?.keep(.unit(node: NamedNode(node), error))
        }
    }
}
