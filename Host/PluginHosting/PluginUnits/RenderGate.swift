// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Keeps a unit's render thread and its control threads apart. Any thread.

import LinuxSystem
import Synchronization

/// Lets one thread at a time render a unit, while it has render resources.
struct RenderGate: ~Copyable {
    private enum Word {
        static var closed: UInt32 { @_noLocks get { 0 } }
        static var open: UInt32 { @_noLocks get { 1 } }
        static var taken: UInt32 { @_noLocks get { 2 } }
        /// The unit is taken for a last block.
        static var closing: UInt32 { @_noLocks get { 3 } }
    }

    private let word = Atomic<UInt32>(0)

    /// `[render]` Takes the unit for one block; returns nil, or the reason if that failed.
    @_noLocks
    func enter() -> PluginUnit.RenderStatus? {
        // Acquire: the resources are complete.
        let (exchanged, original) = word.compareExchange(
            expected: Word.open, desired: Word.taken, ordering: .acquiring)
        if exchanged { return nil }
        return original == Word.taken ? .busy : .noResources
    }

    /// `[render]` Gives the unit back after a block.
    @_noLocks
    func leave() {
        // Release: this thread is done with the resources.
        let (isOpen, _) = word.compareExchange(expected: Word.taken, desired: Word.open, ordering: .releasing)
        if !isOpen { word.store(Word.closed, ordering: .releasing) }
    }

    /// `[control]` Lets blocks be rendered.
    func open() { word.store(Word.open, ordering: .releasing) }

    /// `[control]` Waits for the end of the current block, and lets no other begin.
    func close() {
        while true {
            let (closed, original) = word.compareExchange(
                expected: Word.open, desired: Word.closed, ordering: .acquiringAndReleasing)
            if closed || original == Word.closed { return }
            if word.compareExchange(expected: Word.taken, desired: Word.closing, ordering: .relaxed).exchanged { break }
        }
        // Acquire: the render thread is done with the resources.
        while word.load(ordering: .acquiring) != Word.closed { Futex.pause(microseconds: 200) }
    }
}
