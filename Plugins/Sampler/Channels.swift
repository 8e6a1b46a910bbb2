// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the sampler knows of the MIDI channels beside the synthesizers. Render thread.

/// Numbers of the General MIDI standard.
enum GeneralMIDI {
    static var channelCount: Int { @_noLocks get { 16 } }
    /// The channel of the drums, counted from 0.
    static var drumChannel: Int { @_noLocks get { 9 } }
    /// The number of the bank of drum kits in a SoundFont file.
    static var drumBank: Int32 { @_noLocks get { 128 } }
}

/// Bank and program of a channel, and the numbers that the next program change combines.
struct Channel {
    var program: Int32 = 0
    var bank: Int32 = 0
    /// What controllers 0 and 32 said last.
    var (bankMSB, bankLSB): (Int32, Int32) = (0, 0)

    @_noLocks init() {}

    /// The bank of the file that the bank select messages mean.
    ///
    /// General MIDI 2 numbers melodic instruments by 121 and variations below, and drum kits by 120. XG has 127 for drums. Any
    /// other first number is that of a variation, as in GS.
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
    /// The channels, as bits, whose programs MIDI has changed and the host does not know.
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
