// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A format in Core Audio's form, and the format here that matches it. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioGraph

/// The identifier of a kind of format.
public typealias AudioFormatID = UInt32
/// The storage of samples, as flags.
public typealias AudioFormatFlags = UInt32

/// A format in Core Audio's form.
public struct AudioStreamBasicDescription: Hashable, Sendable {
    /// The sample rate in frames a second.
    public var mSampleRate: Float64
    /// The kind of format, such as `kAudioFormatLinearPCM`.
    public var mFormatID: AudioFormatID
    /// The storage of samples.
    public var mFormatFlags: AudioFormatFlags
    /// The size of a packet in bytes.
    public var mBytesPerPacket: UInt32
    /// The number of frames in a packet: 1 for PCM.
    public var mFramesPerPacket: UInt32
    /// The size of a frame in bytes; of one channel's frame if channels are not interleaved.
    public var mBytesPerFrame: UInt32
    /// The number of channels.
    public var mChannelsPerFrame: UInt32
    /// The number of bits of a sample.
    public var mBitsPerChannel: UInt32
    /// Always 0.
    public var mReserved: UInt32

    /// Makes a description of its parts.
    public init(
        mSampleRate: Float64, mFormatID: AudioFormatID, mFormatFlags: AudioFormatFlags, mBytesPerPacket: UInt32,
        mFramesPerPacket: UInt32, mBytesPerFrame: UInt32, mChannelsPerFrame: UInt32, mBitsPerChannel: UInt32, mReserved: UInt32
    ) {
        (self.mSampleRate, self.mFormatID, self.mFormatFlags) = (mSampleRate, mFormatID, mFormatFlags)
        (self.mBytesPerPacket, self.mFramesPerPacket, self.mBytesPerFrame) = (mBytesPerPacket, mFramesPerPacket, mBytesPerFrame)
        (self.mChannelsPerFrame, self.mBitsPerChannel, self.mReserved) = (mChannelsPerFrame, mBitsPerChannel, mReserved)
    }

    /// Makes a description without a format.
    public init() {
        self.init(
            mSampleRate: 0, mFormatID: 0, mFormatFlags: 0, mBytesPerPacket: 0, mFramesPerPacket: 0, mBytesPerFrame: 0,
            mChannelsPerFrame: 0, mBitsPerChannel: 0, mReserved: 0)
    }

    /// Makes the description of a format.
    init(_ format: AudioFormat) {
        let byteCount = format.commonFormat.byteCount * (format.isInterleaved ? format.channels : 1)
        let bytes = UInt32(clamping: byteCount)
        var flags = kAudioFormatFlagIsPacked
        switch format.commonFormat {
        case .pcmFormatFloat32, .pcmFormatFloat64: flags |= kAudioFormatFlagIsFloat
        case .pcmFormatInt16, .pcmFormatInt32: flags |= kAudioFormatFlagIsSignedInteger
        case .otherFormat: break
        }
        if !format.isInterleaved { flags |= kAudioFormatFlagIsNonInterleaved }
        self.init(
            mSampleRate: format.sampleRate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags, mBytesPerPacket: bytes,
            mFramesPerPacket: 1, mBytesPerFrame: bytes, mChannelsPerFrame: format.channelCount,
            mBitsPerChannel: UInt32(8 * format.commonFormat.byteCount), mReserved: 0)
    }

    /// The storage format of a sample; nil if no buffer supports it.
    var commonFormat: AudioCommonFormat? {
        guard mFormatID == kAudioFormatLinearPCM, mFormatFlags & kAudioFormatFlagIsBigEndian == 0 else { return nil }
        switch (mFormatFlags & kAudioFormatFlagIsFloat != 0, mBitsPerChannel) {
        case (true, 32): return .pcmFormatFloat32
        case (true, 64): return .pcmFormatFloat64
        case (false, 16): return .pcmFormatInt16
        case (false, 32): return .pcmFormatInt32
        default: return nil
        }
    }
}

/// A packet of compressed audio.
public struct AudioStreamPacketDescription: Hashable, Sendable {
    /// The start of the packet in bytes.
    public var mStartOffset: Int64
    /// The number of frames, if it varies.
    public var mVariableFramesInPacket: UInt32
    /// The size in bytes.
    public var mDataByteSize: UInt32

    /// Makes a packet of its parts.
    public init(mStartOffset: Int64 = 0, mVariableFramesInPacket: UInt32 = 0, mDataByteSize: UInt32 = 0) {
        (self.mStartOffset, self.mVariableFramesInPacket) = (mStartOffset, mVariableFramesInPacket)
        self.mDataByteSize = mDataByteSize
    }
}

/// Uncompressed samples.
public let kAudioFormatLinearPCM = AudioFormatID(code: "lpcm")
/// Apple Lossless, in a `.caf` file.
public let kAudioFormatAppleLossless = AudioFormatID(code: "alac")
/// FLAC.
public let kAudioFormatFLAC = AudioFormatID(code: "flac")
/// Opus.
public let kAudioFormatOpus = AudioFormatID(code: "opus")
/// MPEG layer 3.
public let kAudioFormatMPEGLayer3 = AudioFormatID(code: ".mp3")
/// AAC, which cannot be read or written here.
public let kAudioFormatMPEG4AAC = AudioFormatID(code: "aac ")
/// A-law.
public let kAudioFormatALaw = AudioFormatID(code: "alaw")
/// µ-law.
public let kAudioFormatULaw = AudioFormatID(code: "ulaw")

/// Samples are floating point.
public let kAudioFormatFlagIsFloat: AudioFormatFlags = 1
/// Bytes are in big-endian order.
public let kAudioFormatFlagIsBigEndian: AudioFormatFlags = 2
/// Samples are signed integers.
public let kAudioFormatFlagIsSignedInteger: AudioFormatFlags = 4
/// A sample's bits fill its bytes.
public let kAudioFormatFlagIsPacked: AudioFormatFlags = 8
/// A sample's bits lie at the high end of its bytes.
public let kAudioFormatFlagIsAlignedHigh: AudioFormatFlags = 16
/// Each channel has a buffer of its own.
public let kAudioFormatFlagIsNonInterleaved: AudioFormatFlags = 32
/// This machine's byte order.
public let kAudioFormatFlagsNativeEndian: AudioFormatFlags = 0
/// Floating point in this machine's byte order.
public let kAudioFormatFlagsNativeFloatPacked = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
/// Samples are floating point.
public let kLinearPCMFormatFlagIsFloat = kAudioFormatFlagIsFloat
/// Bytes are in big-endian order.
public let kLinearPCMFormatFlagIsBigEndian = kAudioFormatFlagIsBigEndian
/// Samples are signed integers.
public let kLinearPCMFormatFlagIsSignedInteger = kAudioFormatFlagIsSignedInteger
/// A sample's bits fill its bytes.
public let kLinearPCMFormatFlagIsPacked = kAudioFormatFlagIsPacked
/// Each channel has a buffer of its own.
public let kLinearPCMFormatFlagIsNonInterleaved = kAudioFormatFlagIsNonInterleaved
