// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The keys that are down in mono mode, in the order in which they were struck. Render thread.

/// A stack of keys: the last one sounds; when it is released, the one before it sounds.
struct HeldKeys: ~Copyable {
    private let notes: UnsafeMutablePointer<Note>
    private(set) var count = 0

    private static var capacity: Int { @_noLocks get { 32 } }

    init() {
        notes = .allocate(capacity: Self.capacity)
        notes.initialize(repeating: Note(key: 0, velocity: 0), count: Self.capacity)
    }

    deinit { notes.deallocate() }

    /// The note that was struck last; the stack must not be empty.
    var last: Note { @_noLocks get { notes[count - 1] } }

    /// Pushes a key; if there are too many, the oldest is forgotten.
    @_noLocks
    mutating func push(_ note: Note) {
        _ = remove(note.channel, note.key)
        if count == Self.capacity { remove(at: 0) }
        notes[count] = note
        count += 1
    }

    /// Removes a key, and returns whether it was the last one.
    @_noLocks
    mutating func remove(_ channel: Int, _ key: Int) -> Bool {
        for index in 0..<count where notes[index].channel == channel && notes[index].key == key {
            remove(at: index)
            return index == count
        }
        return false
    }

    @_noLocks
    private mutating func remove(at index: Int) {
        for later in index + 1..<max(index + 1, count) { notes[later - 1] = notes[later] }
        count -= 1
    }

    @_noLocks
    mutating func removeAll() { count = 0 }
}
