// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sampler's record of the MIDI channels, beside the synthesizers. Render thread.

import PluginSDK

/// Numbers of the General MIDI standard.
enum GeneralMIDI {
    static var channelCount: Int { @_noLocks get { 16 } }
    static var keyCount: Int { @_noLocks get { 128 } }
    /// The channel of the drums, counted from 0.
    static var drumChannel: Int { @_noLocks get { 9 } }
    /// The number of the bank of drum kits in a SoundFont file.
    static var drumBank: Int32 { @_noLocks get { 128 } }
}

/// Bank and program of a channel, the bank numbers for the next program change, and the state of its notes.
struct Channel {
    var program: Int32 = 0
    var bank: Int32 = 0
    /// The last values of controllers 0 and 32.
    var (bankMSB, bankLSB): (Int32, Int32) = (0, 0)
    /// True if the channel is one for drums, whatever banks are selected.
    var isDrums = false
    /// True if the channel plays a drum kit, which is not transposed and does not glide.
    var playsDrums: Bool { @_noLocks get { bank == GeneralMIDI.drumBank } }
    /// True once a note of the present program has been heard.
    var isCounted = false
    var pitch = ChannelPitch()
    var mode = NoteMode()

    @_noLocks init() {}

    /// The state of a channel after a reset.
    @_noLocks init(index: Int) {
        isDrums = index == GeneralMIDI.drumChannel
        bank = isDrums ? GeneralMIDI.drumBank : 0
    }

    /// The bank in the file that the bank select messages select.
    ///
    /// In General MIDI 2, 121 is the melodic instruments with variations below, and 120 the drum kits. In XG, 127 is the drums.
    /// Any other first number is that of a variation, as in GS. There the second one chooses among generations of devices.
    @_noLocks func selectedBank(_ system: DeviceMessage.System) -> Int32 {
        switch bankMSB {
        case 121: bankLSB
        case 120, 127: GeneralMIDI.drumBank
        case 0:
            if isDrums { GeneralMIDI.drumBank } else if case .gs = system { 0 } else { bankLSB }
        default: isDrums ? GeneralMIDI.drumBank : bankMSB
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
        for index in 0..<GeneralMIDI.channelCount { (channels + index).initialize(to: Channel(index: index)) }
    }

    deinit { channels.deallocate() }

    subscript(index: Int) -> Channel {
        @_noLocks get { channels[index] }
        @_noLocks nonmutating set { channels[index] = newValue }
    }
}
