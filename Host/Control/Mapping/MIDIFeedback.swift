// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tells controllers what others have moved: their lights and motor faders follow. The MIDI thread.

import AudioGraph
import LinuxSystem

/// When controllers are told, and how long the thread sleeps until then.
struct MIDIFeedback {
    /// How often values are looked at while a controller is linked, and while none is, in milliseconds.
    private static let (linkedMilliseconds, unlinkedMilliseconds) = (20, 500)

    /// How long to sleep; nil: until something comes.
    private(set) var nanoseconds: UInt64?
    private var due: UInt64 = 0

    /// Wakes the thread after so long a time at the latest.
    mutating func wake(within nanoseconds: UInt64) { self.nanoseconds = min(self.nanoseconds ?? .max, nanoseconds) }

    /// Tells controllers what has changed, if it is time.
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
    /// Sends the positions that have changed; false if nothing takes them.
    fileprivate func tell(_ session: Session, at now: UInt64) -> Bool {
        state.withLock { state in
            for index in state.motions.indices {
                let motion = state.motions[index]
                // A knob that is being turned is not told of its own turn.
                guard now >= motion.restsUntil, let present = session.present(mapped: motion.mapping.path) else { continue }
                let position = motion.shownPosition(of: present.value)
                guard position != motion.shown else { continue }
                for message in motion.mapping.source.messages(showing: position) {
                    guard session.engine.sendMIDI(message) else {
                        // Whatever is linked next is told everything.
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
