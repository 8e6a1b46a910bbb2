// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What programs expect of Apple's classes beside their names. Test thread.

import AVFoundation
import TestSupport
import Testing

@Suite struct BehaviourTests {
    private let stereo = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)!

    private func manualEngine() throws -> AVAudioEngine {
        let engine = AVAudioEngine()
        try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: 4096)
        return engine
    }

    @Test func anErrorOfACallThatDoesNotThrowIsThrownByStart() throws {
        let engine = try manualEngine()
        let stranger = AVAudioPlayerNode()
        engine.connect(stranger, to: engine.mainMixerNode, format: nil)
        let error = #expect(throws: AVAudioEngineError.self) { try engine.start() }
        guard case .notAttached(let named)? = error, named.node === stranger else {
            Issue.record("\(String(describing: error))")
            return
        }
        try engine.start()
    }

    @Test func aConverterGoesBackToTheNormalAlgorithmAndItsQuality() throws {
        let other = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        let converter = try #require(AVAudioConverter(from: stereo, to: other))
        #expect(converter.sampleRateConverterAlgorithm == AVSampleRateConverterAlgorithm_Normal)
        converter.sampleRateConverterQuality = AVAudioQuality.low.rawValue
        for _ in 0..<2 {
            converter.sampleRateConverterAlgorithm = AVSampleRateConverterAlgorithm_Mastering
            #expect(converter.sampleRateConverterAlgorithm == AVSampleRateConverterAlgorithm_Mastering)
            converter.sampleRateConverterAlgorithm = AVSampleRateConverterAlgorithm_Normal
            #expect(converter.sampleRateConverterAlgorithm == AVSampleRateConverterAlgorithm_Normal)
            #expect(converter.sampleRateConverterQuality == AVAudioQuality.low.rawValue)
        }
    }

    @Test func anIdleEngineHasFormats() {
        let engine = AVAudioEngine()
        for format in [
            engine.outputNode.inputFormat(forBus: 0), engine.inputNode.outputFormat(forBus: 0),
            engine.outputNode.outputFormat(forBus: 0), engine.inputNode.inputFormat(forBus: 0),
            engine.mainMixerNode.outputFormat(forBus: 0), AVAudioPlayerNode().outputFormat(forBus: 0),
        ] {
            #expect(format.sampleRate == 48_000 && format.channelCount == 2)
        }
        #expect(engine.mainMixerNode.outputFormat(forBus: 7).channelCount == 0)
    }

    @Test func theBufferListOfABufferFollowsItsLength() {
        for isInterleaved in [false, true] {
            let format = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: isInterleaved)!
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 64)!
            buffer.frameLength = 10
            let list = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
            #expect(list.count == (isInterleaved ? 1 : 2))
            #expect(list.allSatisfy { $0.mDataByteSize == (isInterleaved ? 40 : 20) })
            #expect(list[0].mData == UnsafeMutableRawPointer(buffer.int16ChannelData![0]))
            #expect(buffer.audioBufferList.pointee.mBuffers.mNumberChannels == (isInterleaved ? 2 : 1))
        }
    }

    @Test func aBufferOfOthersMemoryGivesItBack() {
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 8)
        samples.initialize(repeating: 0.5, count: 8)
        let isFreed = Flag()
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)!
        var list = AudioBufferList(
            mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 32, mData: samples))
        do {
            let buffer = AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: &list) { _ in
                samples.deallocate()
                isFreed.isSet = true
            }
            #expect(buffer?.frameLength == 8 && buffer?.floatChannelData?[0][7] == 0.5)
        }
        #expect(isFreed.isSet)
        #expect(AVAudioPCMBuffer(pcmFormat: stereo, bufferListNoCopy: &list) == nil)
    }

    @Test func aFormatSurvivesItsDescriptionAndItsSettings() throws {
        for kind in [AVAudioCommonFormat.pcmFormatFloat32, .pcmFormatFloat64, .pcmFormatInt16, .pcmFormatInt32] {
            for isInterleaved in [false, true] {
                let format = try #require(
                    AVAudioFormat(commonFormat: kind, sampleRate: 44_100, channels: 3, interleaved: isInterleaved))
                #expect(AVAudioFormat(streamDescription: format.streamDescription) == format)
                #expect(AVAudioFormat(settings: format.settings) == format)
                #expect(format.streamDescription == format.streamDescription)
                let size = UInt32(kind.byteCount * (isInterleaved ? 3 : 1))
                #expect(format.streamDescription.pointee.mBytesPerFrame == size)
            }
        }
        #expect(
            AVAudioFormat(settings: [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2]) == nil
        )
        #expect(AVAudioFormat(settings: [:]) == nil)
    }

    @Test func aFileOfAFormatThatCannotBeWrittenSaysWhatCan() {
        let folder = ScratchFolder()
        let settings: [String: Any] = [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2]
        let error = #expect(throws: AVAudioFileError.self) {
            try AVAudioFile(forWriting: URL(fileURLWithPath: folder.file("a.wav")), settings: settings)
        }
        #expect(error?.localizedDescription.contains("kAudioFormatFLAC") == true)
        #expect(folder.names == [])
    }

    @Test(arguments: [(16, false), (24, false), (32, false), (32, true), (64, true)])
    func aFileHasTheSamplesOfItsSettings(depth: Int, isFloat: Bool) throws {
        let folder = ScratchFolder()
        let url = URL(fileURLWithPath: folder.file("a.caf"))
        let settings: [String: Any] = [
            AVFormatIDKey: Int(kAudioFormatLinearPCM), AVSampleRateKey: Float(44_100), AVNumberOfChannelsKey: UInt32(1),
            AVLinearPCMBitDepthKey: NSNumber(value: depth), AVLinearPCMIsFloatKey: isFloat,
        ]
        let file = try AVAudioFile(forWriting: url, settings: settings)
        let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 1000)!
        buffer.frameLength = 1000
        for frame in 0..<1000 { buffer.floatChannelData![0][frame] = Float(sin(Double(frame) / 10)) }
        try file.write(from: buffer)
        try file.close()
        let back = try AVAudioFile(forReading: url)
        #expect(back.length == 1000 && back.fileFormat.sampleRate == 44_100 && back.fileFormat.isInterleaved)
        let copy = AVAudioPCMBuffer(pcmFormat: back.processingFormat, frameCapacity: 1000)!
        try back.read(into: copy)
        let error = (0..<1000).map { abs(copy.floatChannelData![0][$0] - buffer.floatChannelData![0][$0]) }.max() ?? 1
        // 16 bits are dithered: half a step of rounding, and a whole one of noise.
        let steps = !isFloat && depth == 16 ? 1.5 : 1
        #expect(error <= Float(steps * pow(2, Double(isFloat ? -64 : 1 - min(depth, 25)))), "\(depth) bits differ by \(error)")
    }

    @Test func awaitingAScheduleBeforePlayDoesNotWaitForEver() async throws {
        let engine = try manualEngine()
        let player = AVAudioPlayerNode()
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: stereo)
        let buffer = AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 480)!
        buffer.frameLength = 480
        await player.scheduleBuffer(buffer)
        try engine.start()
        player.play()
        async let isOver: Void = player.scheduleBuffer(buffer, at: nil, options: [])
        let output = AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 4096)!
        for _ in 0..<100 where try engine.renderOffline(4096, to: output) == .success { await Task.yield() }
        await isOver
        let type = AVAudioPlayerNodeCompletionCallbackType.dataPlayedBack
        async let end = player.scheduleBuffer(buffer, completionCallbackType: type)
        for _ in 0..<1000 where try engine.renderOffline(4096, to: output) == .success { await Task.yield() }
        #expect(await end == .dataPlayedBack)
    }

    @Test func applesDescriptionsMeanBulkheadsEffects() throws {
        let engine = try manualEngine()
        let delay = AVAudioUnitEffect(
            audioComponentDescription: AudioComponentDescription(
                componentType: kAudioUnitType_Effect, componentSubType: kAudioUnitSubType_Delay,
                componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0))
        engine.attach(delay)
        #expect(delay.name == "Delay" && delay.audioComponentDescription.componentManufacturer == FourCharCode(0x626C_6B68))
        let limiter = AVAudioUnitEffect(
            audioComponentDescription: AudioComponentDescription(
                componentType: kAudioUnitType_Effect, componentSubType: kAudioUnitSubType_PeakLimiter,
                componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0))
        engine.attach(limiter)
        engine.connect(limiter, to: engine.mainMixerNode, format: stereo)
        #expect(throws: AVAudioEngineError.self) { try engine.start() }
        let all = AVAudioUnitComponentManager.shared().components(matching: AudioComponentDescription())
        #expect(all.contains { $0.name == "Reverb" && $0.typeName.lowercased().contains("effect") })
    }

    @Test func momentsAreExtrapolatedFromAnAnchor() throws {
        let anchor = AVAudioTime(hostTime: 2_000_000_000, sampleTime: 480, atRate: 48_000)
        let later = try #require(AVAudioTime(hostTime: 2_010_000_000).extrapolateTime(fromAnchor: anchor))
        #expect(later.sampleTime == 960 && later.isSampleTimeValid && later.isHostTimeValid)
        let next = try #require(AVAudioTime(sampleTime: 960, atRate: 48_000).extrapolateTime(fromAnchor: anchor))
        #expect(next.hostTime == 2_010_000_000)
        #expect(AVAudioTime(sampleTime: 0, atRate: 48_000).extrapolateTime(fromAnchor: AVAudioTime(hostTime: 1)) == nil)
        #expect(AVAudioTime.seconds(forHostTime: AVAudioTime.hostTime(forSeconds: 1.5)) == 1.5)
        let far = AVAudioTime(hostTime: .max, sampleTime: .max, atRate: 48_000)
        #expect(AVAudioTime(sampleTime: .min, atRate: 48_000).extrapolateTime(fromAnchor: far) != nil)
        #expect(AVAudioTime(hostTime: 0).extrapolateTime(fromAnchor: far) != nil)
        #expect(AVAudioTime(hostTime: .max).extrapolateTime(fromAnchor: far)?.sampleTime == .max)
    }

    @Test func anyNumberOfLoopsIsPossible() throws {
        let folder = ScratchFolder()
        let file = try AVAudioFile(forWriting: URL(fileURLWithPath: folder.file("a.wav")), settings: stereo.settings)
        let buffer = AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 480)!
        buffer.frameLength = 480
        try file.write(from: buffer)
        try file.close()
        let player = try AVAudioPlayer(contentsOf: URL(fileURLWithPath: folder.file("a.wav")))
        for count in [Int.max, Int.min, -1, 0] { player.numberOfLoops = count }
        #expect(player.numberOfLoops == 0 && player.duration == 0.01)
    }

    @Test func inputIsHandedInAsABufferList() throws {
        let engine = try manualEngine()
        engine.connect(engine.inputNode, to: engine.mainMixerNode, format: stereo)
        let input = AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 4096)!
        for frame in 0..<4096 { (input.floatChannelData![0][frame], input.floatChannelData![1][frame]) = (0.25, -0.5) }
        engine.inputNode.setManualRenderingInputPCMFormat(stereo) { frameCount in
            input.frameLength = frameCount
            return input.audioBufferList
        }
        try engine.start()
        let block = engine.manualRenderingBlock
        let output = AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 512)!
        output.frameLength = 512
        var status: OSStatus = -1
        // What is connected fades in over 25 ms.
        for _ in 0..<4 { #expect(block(512, output.mutableAudioBufferList, &status) == .success) }
        #expect(status == noErr && output.floatChannelData![0][511] == 0.25 && output.floatChannelData![1][511] == -0.5)
    }
}

/// Something that may be set once, by any thread.
final class Flag: @unchecked Sendable {
    // SAFETY: a test sets it and reads it one after the other.
    var isSet = false
}
