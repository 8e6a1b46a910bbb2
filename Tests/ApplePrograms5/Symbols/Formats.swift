// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Each symbol of formats and converters, typed as on Apple's systems. Compiled, never run: a wrong type is an error.

import AVFoundation

func useAVAudioFormat(_ layout: AVAudioChannelLayout, _ settings: [String: Any]) {
    let rate: Double = 48_000
    guard
        let format: AVAudioFormat = AVAudioFormat(
            commonFormat: .pcmFormatFloat32, sampleRate: rate, channels: 2 as AVAudioChannelCount, interleaved: false)
    else { return }
    let kind: AVAudioCommonFormat = .pcmFormatInt16
    var made: AVAudioFormat? = AVAudioFormat(commonFormat: kind, sampleRate: rate, channels: 2, interleaved: true)
    var whole: AVAudioFormat = AVAudioFormat(commonFormat: kind, sampleRate: rate, interleaved: true, channelLayout: layout)
    made = AVAudioFormat(settings: settings)
    whole = AVAudioFormat(standardFormatWithSampleRate: rate, channelLayout: layout)
    made = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1 as AVAudioChannelCount)
    var description = AudioStreamBasicDescription()
    made = AVAudioFormat(streamDescription: &description)
    let channelCount: AVAudioChannelCount = format.channelCount
    let channelLayout: AVAudioChannelLayout? = format.channelLayout
    let commonFormat: AVAudioCommonFormat = format.commonFormat
    let isInterleaved: Bool = format.isInterleaved
    let sampleRate: Double = format.sampleRate
    let values: [String: Any] = format.settings
    let pointer: UnsafePointer<AudioStreamBasicDescription> = format.streamDescription
    _ = (made, whole, channelCount, channelLayout, commonFormat, isInterleaved, sampleRate, values, pointer)
}

func useAVAudioChannelLayout() {
    let layout: AVAudioChannelLayout? = AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo)
    let count: AVAudioChannelCount? = layout?.channelCount
    _ = count
}

func useAVAudioCommonFormat() {
    let kinds: [AVAudioCommonFormat] = [.pcmFormatFloat32, .pcmFormatFloat64, .pcmFormatInt16, .pcmFormatInt32]
    let raw: UInt = kinds[0].rawValue
    _ = raw
}

func useAudioStreamBasicDescription() {
    var description: AudioStreamBasicDescription = AudioStreamBasicDescription()
    description = AudioStreamBasicDescription(
        mSampleRate: 1, mFormatID: kAudioFormatLinearPCM, mFormatFlags: 0, mBytesPerPacket: 4, mFramesPerPacket: 1,
        mBytesPerFrame: 4, mChannelsPerFrame: 1, mBitsPerChannel: 32, mReserved: 0)
    let rate: Float64 = description.mSampleRate
    _ = rate
}

func useAudioStreamPacketDescription() {
    let packet: AudioStreamPacketDescription = AudioStreamPacketDescription(
        mStartOffset: 0 as Int64, mVariableFramesInPacket: 0 as UInt32, mDataByteSize: 0 as UInt32)
    _ = packet
}

func useAVAudioConverter(_ from: AVAudioFormat, _ to: AVAudioFormat, _ input: AVAudioPCMBuffer, _ output: AVAudioPCMBuffer) throws {
    guard let converter: AVAudioConverter = AVAudioConverter(from: from, to: to) else { return }
    var error: NSError?
    let block: AVAudioConverterInputBlock = { (count: AVAudioPacketCount, status) in
        status.pointee = .haveData
        return input
    }
    let status: AVAudioConverterOutputStatus = converter.convert(to: output, error: &error, withInputFrom: block)
    try converter.convert(to: output, from: input)
    let map: [NSNumber] = converter.channelMap
    converter.channelMap = map
    let isMixed: Bool = converter.downmix
    converter.downmix = isMixed
    let inputFormat: AVAudioFormat = converter.inputFormat
    let outputFormat: AVAudioFormat = converter.outputFormat
    let size: Int = converter.maximumOutputPacketSize
    let method: AVAudioConverterPrimeMethod = converter.primeMethod
    converter.primeMethod = .none
    converter.reset()
    let algorithm: String? = converter.sampleRateConverterAlgorithm
    converter.sampleRateConverterAlgorithm = AVSampleRateConverterAlgorithm_Mastering
    let quality: Int = converter.sampleRateConverterQuality
    converter.sampleRateConverterQuality = AVAudioQuality.max.rawValue
    _ = (status, inputFormat, outputFormat, size, method, algorithm, quality)
}

func useAVAudioConverterInputBlock(_ buffer: AVAudioBuffer) {
    let block: AVAudioConverterInputBlock = {
        (count: AVAudioPacketCount, status: UnsafeMutablePointer<AVAudioConverterInputStatus>) in
        status.pointee = .noDataNow
        return nil as AVAudioBuffer?
    }
    _ = block
}

func useAVAudioConverterInputStatus() {
    let all: [AVAudioConverterInputStatus] = [.haveData, .noDataNow, .endOfStream]
    _ = all
}

func useAVAudioConverterOutputStatus() {
    let all: [AVAudioConverterOutputStatus] = [.haveData, .inputRanDry, .endOfStream, .error]
    _ = all
}

func useAVAudioConverterPrimeMethod() {
    let all: [AVAudioConverterPrimeMethod] = [.pre, .normal, .none]
    _ = all
}

func useAVAudioQuality() {
    let all: [AVAudioQuality] = [.min, .low, .medium, .high, .max]
    let raw: Int = all[0].rawValue
    _ = raw
}

func useAVAudioFile(_ url: URL, _ settings: [String: Any], _ buffer: AVAudioPCMBuffer) throws {
    var file: AVAudioFile = try AVAudioFile(forReading: url)
    file = try AVAudioFile(forReading: url, commonFormat: .pcmFormatInt16, interleaved: true)
    file = try AVAudioFile(forWriting: url, settings: settings)
    file = try AVAudioFile(forWriting: url, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
    let fileFormat: AVAudioFormat = file.fileFormat
    let position: AVAudioFramePosition = file.framePosition
    file.framePosition = position
    let length: AVAudioFramePosition = file.length
    let processingFormat: AVAudioFormat = file.processingFormat
    try file.read(into: buffer)
    try file.read(into: buffer, frameCount: 1 as AVAudioFrameCount)
    let place: URL = file.url
    try file.write(from: buffer)
    _ = (fileFormat, length, processingFormat, place)
}
