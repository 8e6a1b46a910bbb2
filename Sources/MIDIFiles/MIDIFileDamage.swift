// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The faults of a MIDI file that could be read all the same. Any thread.

/// The damage to a file whose understandable parts have been read.
public struct MIDIFileDamage: Hashable, Sendable {
    /// The first fault.
    public let first: MIDIFileError
    /// The number of all faults, the first one included.
    public let count: Int
}

extension MIDIFileDamage: CustomStringConvertible {
    /// The damage as the end of a sentence, such as ""song.mid" is damaged: …".
    public var description: String {
        switch count {
        case ...1: "\(first)"
        case 2: "\(first); there is one more fault"
        default: "\(first); there are \(count - 1) more faults"
        }
    }
}

/// Collects the faults of a file while it is read.
struct DamageLog {
    /// True if the first fault ends the reading.
    let isStrict: Bool
    private(set) var damage: MIDIFileDamage?

    init(isStrict: Bool) { self.isStrict = isStrict }

    /// Notes a fault; throws it if nothing damaged may be read.
    mutating func note(_ fault: MIDIFileError) throws(MIDIFileError) {
        if isStrict { throw fault }
        damage = MIDIFileDamage(first: damage?.first ?? fault, count: (damage?.count ?? 0) + 1)
    }
}
