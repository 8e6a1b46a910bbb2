// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Shows changes on controllers: their lights and motor faders follow. The MIDI thread.

import AudioGraph
import LinuxSystem

/// The times at which controllers get changes, and the thread's sleep until then.
struct MIDIFeedback {
    /// The time between two looks at values, in milliseconds: with a linked controller, and without one.
    private static let (linkedMilliseconds, unlinkedMilliseconds) = (20, 500)

    /// The length of the sleep in nanoseconds; nil to sleep until a message comes.
    private(set) var nanoseconds: UInt64?
    private var due: UInt64 = 0

    /// Limits the sleep to this time.
    mutating func wake(within nanoseconds: UInt64) { self.nanoseconds = min(self.nanoseconds ?? .max, nanoseconds) }

    /// Sends controllers the changes, if it is time.
    mutating func round(_ control: MIDIControl, _ session: Session, at now: UInt64) {
        nanoseconds = nil
        guard control.state.withLock({ !$0.motions.isEmpty }) else { return }
        if now >= due {
            let isLinked = control.tell(session, at: now)
            due = now + UInt64(isLinked ? Self.linkedMilliseconds : Self.unlinkedMilliseconds) * 1_000_000
        }
        wake(within: due - now)
    }
}

extension MIDIControl {
    /// Sends the positions that have changed; false if no controller is linked.
    fileprivate func tell(_ session: Session, at now: UInt64) -> Bool {
        state.withLock { state in
            for index in state.motions.indices {
                let motion = state.motions[index]
                // A knob that the user turns does not get its own position back.
                guard now >= motion.restsUntil, let present = session.present(mapped: motion.mapping.path) else { continue }
                let position = motion.shownPosition(of: present.value)
                guard position != motion.shown else { continue }
                for message in motion.mapping.source.messages(showing: position) {
                    guard session.engine.sendMIDI(message) else {
                        // The controller that is linked next gets all positions.
                        for other in state.motions.indices { state.motions[other].shown = nil }
                        return false
                    }
                }
                state.motions[index].shown = position
            }
            return true
        }
    }
}
