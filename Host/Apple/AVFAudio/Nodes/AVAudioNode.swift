// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Nodes by the names of Apple's systems. Any thread but the render thread.

import AudioGraph

/// A node of an audio graph.
public typealias AVAudioNode = AudioNode
/// The output of the engine.
public typealias AVAudioOutputNode = AudioOutputNode
/// The input of the engine.
public typealias AVAudioInputNode = AudioInputNode
/// Adds its inputs.
public typealias AVAudioMixerNode = AudioMixerNode
/// A source with a level at mixers.
public typealias AVAudioMixing = AudioMixing
/// A source with a position between left and right.
public typealias AVAudioStereoMixing = AudioMixing
/// The level of a source at one input bus of a mixer.
public typealias AVAudioMixingDestination = AudioMixingDestination
/// Receives the sound of a bus and the time of its first frame, on the tap's own thread.
public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void
/// Called when scheduled sound is over.
public typealias AVAudioNodeCompletionHandler = () -> Void

extension AudioNode {
    /// The format of an input bus; 0 channels at 0 Hz for a bus that the node lacks.
    ///
    /// For the engine's input, it is the format of the recording device.
    public func inputFormat(forBus bus: AVAudioNodeBus) -> AudioFormat {
        (self is AudioInputNode ? outputBusFormat(bus) : inputBusFormat(bus)).orAbsent
    }

    /// The format of an output bus; 0 channels at 0 Hz for a bus that the node lacks.
    ///
    /// For the engine's output, it is the format of the playing device.
    public func outputFormat(forBus bus: AVAudioNodeBus) -> AudioFormat {
        (self is AudioOutputNode ? inputBusFormat(bus) : outputBusFormat(bus)).orAbsent
    }

    /// Passes the sound of an output bus to `block`, in buffers of exactly `bufferSize` frames.
    ///
    /// A bus may have several taps. An error is written to standard error, and thrown by the engine's next `start()`.
    public func installTap(
        onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AudioFormat?, block: @escaping AVAudioNodeTapBlock
    ) {
        // SAFETY: only the tap's thread calls the block, as the program knows.
        nonisolated(unsafe) let block = block
        let install = { () throws(AudioEngineError) -> AudioTap in
            try self.installTap(onBus: bus, bufferSize: Int(bufferSize), format: format) { buffer, time in block(buffer, time) }
        }
        if let engine { return engine.keep(install) }
        do throws(AudioEngineError) { _ = try install() } catch { AVFAudioLog.write(error) }
    }

    /// The same, for a size that is an integer literal.
    public func installTap(
        onBus bus: AVAudioNodeBus, bufferSize: Int, format: AudioFormat?, block: @escaping AVAudioNodeTapBlock
    ) { installTap(onBus: bus, bufferSize: AVAudioFrameCount(clamping: bufferSize), format: format, block: block) }

    /// The latency of the node in seconds.
    public var latency: Double {
        let rate = outputFormat(forBus: 0).sampleRate
        return rate > 0 ? Double(latencyFrameCount) / rate : 0
    }

    /// The time in seconds until the output is heard.
    public var outputPresentationLatency: Double {
        guard let engine, let rate = engine.lastRenderTime?.sampleRate, rate > 0 else { return 0 }
        return Double(engine.latencyFrameCount) / rate
    }
}

extension AudioFormat? {
    /// The format, or a format of no bus.
    fileprivate var orAbsent: AudioFormat { self ?? AudioFormat(sampleRate: 0, channelCount: 0) }
}
