// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The texts between the threads, on the control side. Control thread.

import CLV2Shims

/// The limits of the rings that carry texts between the threads.
enum TextRing {
    /// The room for texts in transit, in bytes.
    static let byteCount: UInt32 = 1 << 17
    /// The longest text in bytes, including the null at its end.
    ///
    /// It fits into the smallest port, with room for other events.
    static var longestByteCount: UInt32 {
        @_noLocks get { 15_360 }
    }
    /// The longest text with its head: the numbers of the property and of the state.
    static var longestMessageByteCount: Int { Int(longestByteCount) + 8 }
}

extension Session {
    /// Sends a text to the plug-in, which takes it at its next block; false if too much is in transit.
    func send(_ text: String, property: Int) -> Bool {
        var head = UInt64(property) | UInt64(stateCount.now) << 32
        let body = Array(text.utf8) + [0]
        return CLV2Shims_write(toRender, &head, 8, body, UInt32(body.count))
    }

    /// Takes the texts that the plug-in has set in its present state, by the property's number.
    func takeTexts() -> [(property: Int, text: String)] {
        var texts: [(property: Int, text: String)] = []
        var byteCount: UInt32 = 0
        while CLV2Shims_read(fromRender, &message, &byteCount) {
            guard byteCount >= 8 else { continue }
            let (property, state) = message.withUnsafeBytes {
                ($0.load(as: UInt32.self), $0.load(fromByteOffset: 4, as: UInt32.self))
            }
            guard state == stateCount.now else { continue }
            let text = message[8..<Int(byteCount)].prefix { $0 != 0 }
            texts.append((Int(property), String(decoding: text, as: UTF8.self)))
        }
        return texts
    }
}
