// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tells controllers what others have moved: their lights and motor faders follow. The MIDI thread.

import AudioGraph
import LinuxSystem

/// When controllers are told, and how long the thread sleeps until then.
struct MIDIFeedback {
    /// How often values are looked at while a controller is linked, and while none is, in milliseconds.
    private static let (linkedMilliseconds, unlinkedMilliseconds) = (20, 500)

    /// How long to sleep; negative: until something comes.
    private(set) var milliseconds: Int32 = -1
    private var due: UInt64 = 0

    /// Wakes the thread after so long a time at the latest.
    mutating func wake(within milliseconds: Int32) {
        self.milliseconds = self.milliseconds < 0 ? milliseconds : min(self.milliseconds, milliseconds)
    }

    /// Tells controllers what has changed, if it is time.
    mutating func round(_ control: MIDIControl, _ session: Session, at now: UInt64) {
        milliseconds = -1
        guard control.state.withLock({ !$0.motions.isEmpty }) else { return }
        if now >= due {
            let isLinked = control.tell(session, at: now)
            due = now + UInt64(isLinked ? Self.linkedMilliseconds : Self.unlinkedMilliseconds) * 1_000_000
        }
        wake(within: Int32(clamping: (due - now) / 1_000_000 + 1))
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
