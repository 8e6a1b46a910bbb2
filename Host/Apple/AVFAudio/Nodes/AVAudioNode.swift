// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Nodes by the names of Apple's systems. Any thread but the render thread.

import AudioGraph

/// A node of an audio graph.
public typealias AVAudioNode = AudioNode
/// What the engine plays.
public typealias AVAudioOutputNode = AudioOutputNode
/// What the engine records.
public typealias AVAudioInputNode = AudioInputNode
/// Adds up what is connected to it.
public typealias AVAudioMixerNode = AudioMixerNode
/// A source with a level at mixers.
public typealias AVAudioMixing = AudioMixing
/// A source with a place between left and right.
public typealias AVAudioStereoMixing = AudioMixing
/// The level of a source at one input bus of a mixer.
public typealias AVAudioMixingDestination = AudioMixingDestination
/// Called with what passes a bus, and the time of its first frame, on a thread of the tap's own.
public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void
/// Called when something that was scheduled is over.
public typealias AVAudioNodeCompletionHandler = () -> Void

extension AudioNode {
    /// The format of an input bus; 0 channels at 0 Hz for a bus that the node does not have.
    ///
    /// That of the engine's input is what the device records.
    public func inputFormat(forBus bus: AVAudioNodeBus) -> AudioFormat {
        (self is AudioInputNode ? outputBusFormat(bus) : inputBusFormat(bus)).orAbsent
    }

    /// The format of an output bus; 0 channels at 0 Hz for a bus that the node does not have.
    ///
    /// That of the engine's output is what the device plays.
    public func outputFormat(forBus bus: AVAudioNodeBus) -> AudioFormat {
        (self is AudioOutputNode ? inputBusFormat(bus) : outputBusFormat(bus)).orAbsent
    }

    /// Hands what passes an output bus to `block`, in buffers of exactly `bufferSize` frames.
    ///
    /// A bus may have several taps. What is wrong is written to standard error, and thrown by the engine's next `start()`.
    public func installTap(
        onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AudioFormat?, block: @escaping AVAudioNodeTapBlock
    ) {
        // SAFETY: the tap's thread alone calls the block, as the program knows.
        nonisolated(unsafe) let block = block
        let install = { () throws(AudioEngineError) -> AudioTap in
            try self.installTap(onBus: bus, bufferSize: Int(bufferSize), format: format) { buffer, time in block(buffer, time) }
        }
        if let engine { return engine.keep(install) }
        do throws(AudioEngineError) { _ = try install() } catch { AVFAudioLog.write(error) }
    }

    /// The same, for a size that is written as a number.
    public func installTap(
        onBus bus: AVAudioNodeBus, bufferSize: Int, format: AudioFormat?, block: @escaping AVAudioNodeTapBlock
    ) { installTap(onBus: bus, bufferSize: AVAudioFrameCount(clamping: bufferSize), format: format, block: block) }

    /// How much later the node puts out what it takes in, in seconds.
    public var latency: Double {
        let rate = outputFormat(forBus: 0).sampleRate
        return rate > 0 ? Double(latencyFrameCount) / rate : 0
    }

    /// How much later the output is heard, in seconds.
    public var outputPresentationLatency: Double {
        guard let engine, let rate = engine.lastRenderTime?.sampleRate, rate > 0 else { return 0 }
        return Double(engine.latencyFrameCount) / rate
    }
}

extension AudioFormat? {
    /// The format, or one that no bus has.
    fileprivate var orAbsent: AudioFormat { self ?? AudioFormat(sampleRate: 0, channelCount: 0) }
}
