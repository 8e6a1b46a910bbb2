// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The keys that MIDI messages hold down; the render thread notes them for a view. Render thread and the view's thread.

import Realtime
import Synchronization

/// The keys of an instrument, for a view to draw.
///
/// `[view]` The numbers are those of MIDI: 60 is middle C. Pedals do not count as held keys.
public struct KeyScope {
    private let scopes: Scopes

    init(_ scopes: Scopes) { self.scopes = scopes }

    /// The channels that hold a key, 0 to 127, as bits; 0 for any other key.
    public func channels(holding key: Int) -> UInt16 { UInt16(truncatingIfNeeded: word(key)) }

    /// True if a key is held on any channel.
    public func isHeld(_ key: Int) -> Bool { channels(holding: key) != 0 }

    /// The number of strokes of a key; it starts again with 0 after 65535.
    ///
    /// Compare it with the count at the last picture: a short stroke may be over when the view looks.
    public func strokeCount(of key: Int) -> UInt16 { UInt16(truncatingIfNeeded: word(key) >> 16) }

    private func word(_ key: Int) -> UInt32 {
        (0..<Scopes.keyCount).contains(key) ? scopes.core.pointee.keys[key].load(ordering: .relaxed) : 0
    }
}

extension Scopes {
    static let keyCount = 128

    /// Makes a word for each key: the channels that hold it, and above them the number of strokes.
    static func makeKeys() -> UnsafeMutablePointer<Atomic<UInt32>> {
        let keys = UnsafeMutablePointer<Atomic<UInt32>>.allocate(capacity: keyCount)
        for key in 0..<keyCount { (keys + key).initialize(to: Atomic(0)) }
        return keys
    }
}

// The render thread alone writes, and each word stands for itself: relaxed orderings are enough.
extension Scopes.Core {
    /// `[render]` Notes a message that begins or ends notes.
    @inline(never) @_noLocks
    func note(_ message: MIDIMessage) {
        let (key, channel) = (Int(message[1] & 0x7F), UInt32(1) &<< UInt32(message[0] & 0x0F))
        let word = keys[key].load(ordering: .relaxed)
        switch message[0] & 0xF0 {
        case 0x90 where message[2] > 0: keys[key].store((word &+ 0x1_0000) | channel, ordering: .relaxed)
        case 0x80, 0x90: keys[key].store(word & ~channel, ordering: .relaxed)
        // All sound off, and the messages that imply all notes off.
        case 0xB0 where key == 120 || key >= 123: release(channels: channel)
        default: break
        }
    }

    /// `[render]` Releases all keys on these channels, which are bits.
    @inline(never) @_noLocks
    func release(channels: UInt32 = 0xFFFF) {
        for key in 0..<128 {
            let word = keys[key].load(ordering: .relaxed)
            keys[key].store(word & ~channels, ordering: .relaxed)
        }
    }
}
