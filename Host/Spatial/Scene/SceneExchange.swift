// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Hands the newest settings of a source to the render thread without a lock. One control thread at a time, and the render thread.

import Synchronization

/// Settings that one thread sets and the render thread takes whole.
///
/// They have three places: one that is written, one that is read, and one between them. So neither side waits, and the render thread never
/// sees half of them. The objects to which settings point live until their place is written again.
struct SceneExchange: ~Copyable {
    private let places: UnsafeMutablePointer<SceneValues>
    private let passage: UnsafeMutablePointer<ScenePassage>
    /// The place that is written next, and the objects that belong to each place.
    private var written = 0
    private var owners: [[any AnyObject & Sendable]] = [[], [], []]

    /// `[control]` Makes a passage with a first settings, which the render thread has taken.
    init(_ value: SceneValues) {
        places = .allocate(capacity: 3)
        places.initialize(repeating: value, count: 3)
        passage = .allocate(capacity: 1)
        passage.initialize(to: ScenePassage())
    }

    deinit {
        places.deallocate()
        passage.deinitialize(count: 1)
        passage.deallocate()
    }

    /// The side of the render thread, which lives as long as this exchange.
    var reader: SceneReader { SceneReader(places: places, passage: passage) }

    /// `[control]` Makes settings the newest ones.
    mutating func set(_ value: SceneValues, keeping owners: [any AnyObject & Sendable]) {
        places[written] = value
        self.owners[written] = owners
        // Release: the settings are complete. Acquire: the render thread is done with the place that comes back.
        written = passage.pointee.middle.exchange(written | 4, ordering: .acquiringAndReleasing) & 3
    }
}

/// The place between writer and reader.
struct ScenePassage: ~Copyable {
    /// The index of the middle place; 4 is added if it holds newer settings than the reader's place.
    fileprivate let middle = Atomic<Int>(1)
    /// The index of the reader's place, which only the render thread uses.
    fileprivate var taken = 2
}

/// The render thread's side of a `SceneExchange`.
struct SceneReader {
    fileprivate let places: UnsafeMutablePointer<SceneValues>
    fileprivate let passage: UnsafeMutablePointer<ScenePassage>

    /// `[render]` Takes the newest settings; false if there are none since the last time.
    @_noLocks
    func take() -> Bool {
        // Relaxed: the exchange orders.
        guard passage.pointee.middle.load(ordering: .relaxed) & 4 != 0 else { return false }
        passage.pointee.taken =
            passage.pointee.middle.exchange(passage.pointee.taken, ordering: .acquiringAndReleasing) & 3
        return true
    }

    /// `[render]` The taken settings.
    var value: SceneValues {
        @_noLocks get { places[passage.pointee.taken] }
    }
}
