// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Voice Processor: prepares a microphone for a call, without echo, with less noise and an even level. Render thread.

import PluginSDK

/// Cancels the echo of the far end, suppresses noise, controls the gain, mutes, and detects speech.
///
/// The microphone's channels are mixed into one, as are those of the far end, and every output channel is the same. SpeexDSP
/// works on whole frames of about 10 ms in 16 bits, at any rate. One frame is collected while the former one is put out, and the
/// noise suppressor delays by another one. A change of a parameter takes effect with the next frame, but muting at once.
struct VoiceProcessor: Kernel, ~Copyable {
    /// SpeexDSP cannot forget the noise that it has heard.
    static let isRemadeByReset = true

    private let frameLength: Int
    private let filterLength: Int
    private let sampleRate: Double
    private let hasFarEnd: Bool
    private let glide: Int
    /// The frames that are being collected, and the one that is put out.
    private let microphone: VoiceFrame
    private let farEnd: VoiceFrame
    private let processed: VoiceFrame
    /// The far end as the canceller hears it.
    private let delayedFarEnd: VoiceFrame
    private var farEndDelay: FarEndDelay
    private var finder: EchoFinder
    private var echoReach = 1.0
    /// The delay's last reported value.
    private var toldDelay = 0
    private var position = 0
    private var canceller: EchoCanceller
    private var preprocessor: Preprocessor
    private var blocker: ConstantBlocker
    private var correction: NotchCorrection?
    private var settings = VoiceSettings()
    private var gain = SmoothedValue(1)
    /// The meter's last reported value; nil before the first report.
    private var toldSpeech: Bool?

    init(_ setup: RenderSetup) throws(UnitError) {
        guard (8000...192_000).contains(setup.sampleRate) else {
            throw .formatRefused("\(Int(setup.sampleRate)) Hz; it takes 8000 to 192000")
        }
        sampleRate = setup.sampleRate
        frameLength = VoiceFrameLength.nearest(to: setup.frameCount(seconds: 0.01))
        // Echoes of rooms up to this length are cancelled.
        filterLength = setup.frameCount(seconds: 0.24)
        hasFarEnd = setup.inputs.count > 1 && setup.inputs[1].channelCount > 0
        glide = frameLength
        canceller = EchoCanceller(frameLength: frameLength, filterLength: filterLength, sampleRate: setup.sampleRate)
        preprocessor = Preprocessor(frameLength: frameLength, sampleRate: setup.sampleRate)
        blocker = ConstantBlocker(sampleRate: setup.sampleRate)
        correction = NotchCorrection(sampleRate: setup.sampleRate)
        microphone = VoiceFrame(count: frameLength)
        farEnd = VoiceFrame(count: frameLength)
        processed = VoiceFrame(count: frameLength)
        delayedFarEnd = VoiceFrame(count: frameLength)
        farEndDelay = FarEndDelay(sampleRate: setup.sampleRate, frameLength: frameLength)
        finder = EchoFinder(sampleRate: setup.sampleRate)
    }

    @_noLocks mutating func apply(_ change: ParameterChange) {
        let isOn = change.value >= 0.5
        switch change.address {
        case Address.echoCancellation:
            // After a pause the filter's knowledge is out of date.
            if isOn != settings.cancelsEcho { canceller.reset() }
            settings.cancelsEcho = isOn
        case Address.noiseSuppression: settings.suppressesNoise = isOn
        case Address.noiseSuppressionAmount: settings.suppression = Int32(change.value)
        case Address.gainControl: settings.controlsGain = isOn
        case Address.gainTarget: settings.gainTarget = Float(change.value)
        case Address.echoReach: echoReach = change.value
        case Address.mute: gain.ramp(to: isOn ? 0 : 1, over: glide)
        default: break
        }
        preprocessor.set(settings, canceller: hasFarEnd ? canceller.state : nil)
    }

    @_noLocks mutating func render(_ block: RenderBlock) {
        let output = block.output
        for frame in 0..<block.frameCount {
            var voice = blocker.process(Self.mixed(block.input, frame))
            if cancelsEcho, let corrected = correction?.process(voice) { voice = corrected }
            microphone.put(voice, at: position)
            if hasFarEnd { farEnd.put(Self.mixed(block.input(1), frame), at: position) }
            let sample = processed.sample(at: position) * gain.next()
            for channel in 0..<output.channelCount { output[channel][frame] = sample }
            position += 1
            if position == frameLength { processFrame(block, frame) }
        }
    }

    @_noLocks mutating func reset() {
        microphone.silence()
        farEnd.silence()
        processed.silence()
        position = 0
        canceller.reset()
        farEndDelay.reset()
        finder.reset()
        preprocessor.reset()
        blocker.reset()
        correction?.reset()
        gain.jump(to: gain.target)
    }

    var latencyFrameCount: Int { @_noLocks get { 2 * frameLength } }

    /// The echo of the far end's sound, and the ringing of the high-pass.
    var tailFrameCount: Int { @_noLocks get { filterLength + farEndDelay.count + 10 * frameLength } }
}

extension VoiceProcessor {
    private var cancelsEcho: Bool { @_noLocks get { hasFarEnd && settings.cancelsEcho } }

    /// The mean of all channels, within full scale; 0 for NaN.
    @_noLocks private static func mixed(_ input: AudioBlock, _ frame: Int) -> Float {
        var sum: Float = 0
        for channel in 0..<input.channelCount { sum += input[channel][frame] }
        let mean = sum / Float(max(1, input.channelCount))
        return mean >= -1 ? min(1, mean) : mean < -1 ? -1 : 0
    }

    /// Delays the far end by as much as the echo needs, and reports the echo's delay.
    @_noLocks private mutating func followEcho(_ block: RenderBlock, _ frame: Int) {
        finder.take(microphone: microphone, farEnd: farEnd, reach: Int(echoReach * sampleRate))
        if let echo = finder.delay {
            if farEndDelay.follow(echo) { canceller.reset() }
            if toldDelay != echo { block.emitParameter(Address.echoDelay, value: Double(echo) / sampleRate, atFrame: frame) }
            toldDelay = echo
        }
        farEndDelay.process(farEnd, to: delayedFarEnd)
    }

    /// Processes the collected frame, whose last sample lies at `frame` of the block.
    @_noLocks private mutating func processFrame(_ block: RenderBlock, _ frame: Int) {
        position = 0
        if cancelsEcho {
            followEcho(block, frame)
            canceller.process(microphone: microphone, farEnd: delayedFarEnd, output: processed)
        } else {
            processed.copy(from: microphone)
        }
        preprocessor.process(processed)
        guard toldSpeech != preprocessor.isSpeech else { return }
        toldSpeech = preprocessor.isSpeech
        block.emitParameter(Address.speech, value: preprocessor.isSpeech ? 1 : 0, atFrame: frame)
    }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { VoiceProcessor.exported }
