// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Waiting texts, and values without room. Render thread.

import CLV2Shims
import PluginSDK

extension MessagePorts {
    /// Queues waiting messages before a block: unsent values, and one text a run.
    ///
    /// It requests all properties of the plug-in once for each state.
    @_noLocks
    mutating func sendWaiting(atFrame frame: Int) {
        catchUp()
        sendText(frame)
        for index in 0..<propertyCount where properties[index].isUnsent { tell(index, frame) }
        guard !hasAsked else { return }
        hasAsked = true
        isAskQueued = true
        for index in 0..<messageInputs.count {
            let port = messageInputs[index]
            if !CLV2Shims_appendGet(port.buffer, port.capacity, Int64(frame)) { hasAsked = false }
        }
    }

    /// Requests all properties of the plug-in again, before the next block.
    @_noLocks
    mutating func askAgain() { hasAsked = propertyCount == 0 }

    @_noLocks
    private mutating func sendText(_ frame: Int) {
        guard !isTextQueued else { return }
        while textByteCount == 0 {
            var byteCount: UInt32 = 0
            guard CLV2Shims_read(toRender, text, &byteCount) else { return }
            // The text may be for a state newer than the last check.
            catchUp()
            let isOld = text.load(fromByteOffset: 4, as: UInt32.self) != knownState
            guard byteCount > 8, !isOld, text.load(as: UInt32.self) < UInt32(propertyCount) else { continue }
            textByteCount = byteCount
        }
        let property = properties[Int(text.load(as: UInt32.self))]
        let change = CLV2Shims_Change(
            property: property.urid, type: property.type, byteCount: textByteCount &- 8, body: text + 8)
        isTextQueued = send(change, frame)
    }

    /// Drops all reports about an older state than the present one.
    @_noLocks
    mutating func catchUp() {
        guard knownState != stateCount.now else { return }
        knownState = stateCount.now
        for index in 0..<propertyCount {
            properties[index].value = .nan
            properties[index].isUnsent = false
        }
        if !isTextQueued { textByteCount = 0 }
        hasAsked = propertyCount == 0
    }

    /// Takes back all messages that are queued for the next run.
    ///
    /// Properties and texts are sent again, MIDI is not.
    @_noLocks
    mutating func takeBack() {
        clearInputs()
        for index in 0..<propertyCount where properties[index].isQueued {
            properties[index].value = .nan
            properties[index].isQueued = false
            properties[index].isUnsent = true
        }
        isTextQueued = false
        if isAskQueued { hasAsked = false }
        isAskQueued = false
    }

    /// Marks everything queued as read, after a run.
    @_noLocks
    mutating func settle() {
        clearInputs()
        for index in 0..<propertyCount { properties[index].isQueued = false }
        if isTextQueued { textByteCount = 0 }
        isTextQueued = false
        isAskQueued = false
        if hasLostMIDI { endNotes() }
    }
}
