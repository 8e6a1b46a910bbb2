// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The keys that a view lights: held keys, and keys that were struck a moment ago. The view's thread.

/// The lights of a keyboard, or of pads.
///
/// `[view]` A key that is struck and let go between two pictures is lit, too.
public struct KeyLights {
    private var strokeCounts: [UInt16]
    /// The number of pictures for which each key stays lit.
    private var pictures = [Int](repeating: 0, count: Scopes.keyCount)
    private var isHeld = [Bool](repeating: false, count: Scopes.keyCount)

    /// Begins with no key lit.
    public init(_ keys: KeyScope) { strokeCounts = (0..<Scopes.keyCount).map { keys.strokeCount(of: $0) } }

    /// Reads the keys for the next picture; a stroke stays lit for `pictureCount` pictures.
    public mutating func update(_ keys: KeyScope, pictureCount: Int = 3) {
        for key in 0..<Scopes.keyCount {
            let count = keys.strokeCount(of: key)
            pictures[key] = count == strokeCounts[key] ? max(0, pictures[key] - 1) : pictureCount
            (strokeCounts[key], isHeld[key]) = (count, keys.isHeld(key))
        }
    }

    /// True if a key, 0 to 127, is held or was struck a moment ago.
    public func isLit(_ key: Int) -> Bool { isStruck(key) || isHeld.indices.contains(key) && isHeld[key] }

    /// True if a key was struck a moment ago.
    public func isStruck(_ key: Int) -> Bool { pictures.indices.contains(key) && pictures[key] > 0 }
}
