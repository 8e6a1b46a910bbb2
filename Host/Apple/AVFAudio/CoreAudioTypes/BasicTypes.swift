// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The numbers and codes of Core Audio. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The result of a C function: 0 for success.
public typealias OSStatus = Int32
/// Four characters in a number.
public typealias OSType = UInt32
/// Four characters in a number.
public typealias FourCharCode = UInt32
/// The value of a parameter.
public typealias AUValue = Float
/// The address of a parameter.
public typealias AUParameterAddress = UInt64
/// The value of a parameter.
public typealias AudioUnitParameterValue = Float
/// A number of frames.
public typealias AUAudioFrameCount = UInt32
/// A number of channels.
public typealias AUAudioChannelCount = UInt32
/// A moment in frames.
public typealias AUEventSampleTime = Int64

/// A number of frames.
public typealias AVAudioFrameCount = UInt32
/// A position in a file or on a time line, in frames.
public typealias AVAudioFramePosition = Int64
/// A number of packets; here a packet is a frame.
public typealias AVAudioPacketCount = UInt32
/// A number of channels.
public typealias AVAudioChannelCount = UInt32
/// The number of a bus.
public typealias AVAudioNodeBus = Int
/// A position in a piece of music, in beats.
public typealias AVMusicTimeStamp = Double

/// Success.
public let noErr: OSStatus = 0
/// A parameter is wrong.
public let kAudio_ParamError: OSStatus = -50
/// There is not enough memory.
public let kAudio_MemFullError: OSStatus = -108

extension UInt32 {
    /// Makes a number of four ASCII characters.
    init(code: StaticString) {
        self = code.withUTF8Buffer { $0.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
    }
}
