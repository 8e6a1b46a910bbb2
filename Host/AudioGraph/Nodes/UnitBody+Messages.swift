// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// MIDI messages to an instrument, which are kept while it has no resources. Any thread but the render thread.

import AudioUnits
import PluginHosting
import Synchronization

/// The messages that an instrument was sent before it had resources.
final class WaitingMessages: Sendable {
    /// The most that are kept, the newest ones.
    static let most = 1024
    fileprivate let messages = Mutex<[MIDIMessage]>([])
}

extension UnitBody {
    /// Sends a message, or keeps it until the unit has resources.
    ///
    /// What the unit refuses is kept, and thrown by the engine's next call that throws.
    func send(_ message: MIDIMessage, _ node: AudioNode) {
        guard let waiting else { return deliver(message, node) }
        // Under the lock, `prepare` cannot miss the message, and what waits is sent before it.
        waiting.messages.withLock { messages in
            guard row == nil || !messages.isEmpty else { return deliver(message, node) }
            messages.append(message)
            if messages.count > WaitingMessages.most { messages.removeFirst() }
        }
    }

    /// Sends what waits, once the unit has resources.
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
