// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sampler's record of the MIDI channels, beside the synthesizers. Render thread.

/// Numbers of the General MIDI standard.
enum GeneralMIDI {
    static var channelCount: Int { @_noLocks get { 16 } }
    /// The channel of the drums, counted from 0.
    static var drumChannel: Int { @_noLocks get { 9 } }
    /// The number of the bank of drum kits in a SoundFont file.
    static var drumBank: Int32 { @_noLocks get { 128 } }
}

/// Bank and program of a channel, and the bank numbers for the next program change.
struct Channel {
    var program: Int32 = 0
    var bank: Int32 = 0
    /// The last values of controllers 0 and 32.
    var (bankMSB, bankLSB): (Int32, Int32) = (0, 0)

    @_noLocks init() {}

    /// The bank in the file that the bank select messages select.
    ///
    /// In General MIDI 2, 121 is the melodic instruments with variations below, and 120 the drum kits. In XG, 127 is the drums.
    /// Any other first number is that of a variation, as in GS.
    @_noLocks func selectedBank(isDrumChannel: Bool) -> Int32 {
        switch bankMSB {
        case 121: bankLSB
        case 120, 127: GeneralMIDI.drumBank
        case 0: isDrumChannel ? GeneralMIDI.drumBank : bankLSB
        default: isDrumChannel ? GeneralMIDI.drumBank : bankMSB
        }
    }
}

/// All channels.
struct Channels: ~Copyable {
    private let channels: UnsafeMutablePointer<Channel>
    /// The channels, as bits, whose programs MIDI has changed without the host's knowledge.
    var changed: UInt16 = 0

    init() {
        channels = .allocate(capacity: GeneralMIDI.channelCount)
        channels.initialize(repeating: Channel(), count: GeneralMIDI.channelCount)
        channels[GeneralMIDI.drumChannel].bank = GeneralMIDI.drumBank
    }

    deinit { channels.deallocate() }

    subscript(index: Int) -> Channel {
        @_noLocks get { channels[index] }
        @_noLocks nonmutating set { channels[index] = newValue }
    }
}
