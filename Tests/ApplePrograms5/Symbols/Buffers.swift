// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Each symbol of buffers and their lists, typed as on Apple's systems. Compiled, never run: a wrong type is an error.

import AVFoundation

func useAVAudioPCMBuffer(_ format: AVAudioFormat, _ list: UnsafePointer<AudioBufferList>) {
    guard let made: AVAudioPCMBuffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512 as AVAudioFrameCount) else { return }
    let release: (UnsafePointer<AudioBufferList>) -> Void = { _ in }
    let borrowed: AVAudioPCMBuffer? = AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: list, deallocator: release)
    let floats: UnsafePointer<UnsafeMutablePointer<Float>>? = made.floatChannelData
    let shorts: UnsafePointer<UnsafeMutablePointer<Int16>>? = made.int16ChannelData
    let longs: UnsafePointer<UnsafeMutablePointer<Int32>>? = made.int32ChannelData
    let capacity: AVAudioFrameCount = made.frameCapacity
    let length: AVAudioFrameCount = made.frameLength
    made.frameLength = capacity
    let stride: Int = made.stride
    _ = (borrowed, floats, shorts, longs, length, stride)
}

func useAVAudioBuffer(_ buffer: AVAudioBuffer) {
    let format: AVAudioFormat = buffer.format
    let list: UnsafePointer<AudioBufferList> = buffer.audioBufferList
    let mutable: UnsafeMutablePointer<AudioBufferList> = buffer.mutableAudioBufferList
    _ = (format, list, mutable)
}

func useAudioBuffer(_ samples: UnsafeMutableRawPointer) {
    let buffer: AudioBuffer = AudioBuffer(mNumberChannels: 1 as UInt32, mDataByteSize: 4 as UInt32, mData: samples)
    let channels: UInt32 = buffer.mNumberChannels
    let byteCount: UInt32 = buffer.mDataByteSize
    let data: UnsafeMutableRawPointer? = buffer.mData
    _ = (channels, byteCount, data)
}

func useAudioBufferList(_ buffer: AudioBuffer) {
    var list: AudioBufferList = AudioBufferList(mNumberBuffers: 1 as UInt32, mBuffers: buffer)
    list = AudioBufferList()
    let count: UInt32 = list.mNumberBuffers
    let first: AudioBuffer = list.mBuffers
    _ = (count, first)
}

func useUnsafeMutableAudioBufferListPointer(_ list: UnsafeMutablePointer<AudioBufferList>) {
    let buffers: UnsafeMutableAudioBufferListPointer = UnsafeMutableAudioBufferListPointer(list)
    let count: Int = buffers.count
    let first: AudioBuffer = buffers[0]
    for buffer: AudioBuffer in buffers { memset(buffer.mData, 0, Int(buffer.mDataByteSize)) }
    _ = (count, first)
}

func useAVAudioTime(_ time: AVAudioTime) {
    var made: AVAudioTime = AVAudioTime(hostTime: 1 as UInt64)
    made = AVAudioTime(sampleTime: 1 as AVAudioFramePosition, atRate: 48_000 as Double)
    let stamp: AudioTimeStamp = time.audioTimeStamp
    let hostTime: UInt64 = time.hostTime
    let isHostTimeValid: Bool = time.isHostTimeValid
    let isSampleTimeValid: Bool = time.isSampleTimeValid
    let rate: Double = time.sampleRate
    let sampleTime: AVAudioFramePosition = time.sampleTime
    let seconds: TimeInterval = AVAudioTime.seconds(forHostTime: hostTime)
    _ = (made, stamp, isHostTimeValid, isSampleTimeValid, rate, sampleTime, seconds)
}

func useAudioTimeStamp(_ stamp: AudioTimeStamp) {
    let sampleTime: Float64 = stamp.mSampleTime
    let hostTime: UInt64 = stamp.mHostTime
    let flags: AudioTimeStampFlags = stamp.mFlags
    _ = (sampleTime, hostTime, flags)
}
