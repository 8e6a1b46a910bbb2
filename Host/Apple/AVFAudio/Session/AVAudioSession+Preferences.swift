// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A program's preferences for the device, which engines request at their next start. Any thread but the render thread.

import AudioFormats
import Foundation
import PipeWireIO

extension AVAudioSession {
    /// The rate for requesting a quantum if the program prefers none: PipeWire's usual one.
    static let usualRate = 48_000

    /// Prefers a rate in hertz; 0 leaves the choice to PipeWire, which has a list of allowed rates.
    public func setPreferredSampleRate(_ sampleRate: Double) throws {
        guard sampleRate == 0 || (1...768_000).contains(sampleRate) else {
            throw Self.error(.badParam, "A rate of \(sampleRate) Hz is outside 1 to 768000.")
        }
        state.withLock { state in
            state.sampleRate = sampleRate
            state.request()
        }
    }

    /// The rate that the program prefers; 0 for none.
    public var preferredSampleRate: Double { state.withLock { $0.sampleRate } }

    /// Prefers a length of cycles in seconds; 0 leaves the choice to PipeWire.
    ///
    /// The nearest power of two in frames is requested, at most 8192. PipeWire takes the shortest request of all programs.
    public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        guard duration >= 0, duration.isFinite else {
            throw Self.error(.badParam, "A buffer of \(duration) seconds cannot be.")
        }
        state.withLock { state in
            state.bufferDuration = duration
            state.request()
        }
    }

    /// The preferred length of cycles in seconds; 0 for none.
    public var preferredIOBufferDuration: TimeInterval { state.withLock { $0.bufferDuration } }

    /// Prefers a source; nil stands for PipeWire's default source.
    public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
        guard let inPort else { return prefer(nil) }
        guard devices.list.sources.contains(where: { $0.name == inPort.uid }) else {
            throw Self.error(.resourceNotAvailable, "There is no input \"\(inPort.portName)\".")
        }
        prefer(inPort.uid)
    }

    private func prefer(_ name: String?) {
        state.withLock { state in
            state.inputName = name
            state.request()
        }
    }

    /// The preferred source; nil while it does not exist.
    public var preferredInput: AVAudioSessionPortDescription? {
        guard let name = state.withLock({ $0.inputName }) else { return nil }
        return devices.list.sources.first { $0.name == name }.map(AVAudioSessionPortDescription.init)
    }

    /// Keeps a channel count without effect: engines record as many channels as their output has.
    public func setPreferredInputNumberOfChannels(_ count: Int) throws {
        try check(count)
        state.withLock { $0.inputChannelCount = count }
    }

    /// The preferred number of recorded channels; 0 for none.
    public var preferredInputNumberOfChannels: Int { state.withLock { $0.inputChannelCount } }

    /// Keeps a channel count without effect: PipeWire mixes any number into those of the sink.
    public func setPreferredOutputNumberOfChannels(_ count: Int) throws {
        try check(count)
        state.withLock { $0.outputChannelCount = count }
    }

    /// The preferred number of played channels; 0 for none.
    public var preferredOutputNumberOfChannels: Int { state.withLock { $0.outputChannelCount } }

    private func check(_ channelCount: Int) throws {
        guard channelCount >= 0 else { throw Self.error(.badParam, "A number of \(channelCount) channels cannot be.") }
    }

    /// Keeps the orientation of the machine.
    public func setPreferredInputOrientation(_ orientation: StereoOrientation) throws {
        state.withLock { $0.orientation = orientation }
    }

    /// The orientation of the machine that the program has set.
    public var preferredInputOrientation: StereoOrientation { state.withLock { $0.orientation } }
    /// The orientation of the machine: unknown.
    public var inputOrientation: StereoOrientation { .none }

    /// Does nothing: input and output always have the same cycle.
    public func setAggregatedIOPreference(_ ioType: IOType) throws {}

    /// Throws: the gain of the source cannot be set.
    public func setInputGain(_ gain: Float) throws {
        throw Self.error(.resourceNotAvailable, "The gain of inputs is set in the system's mixer.")
    }

    /// Always false: the gain of the source cannot be set.
    public var isInputGainSettable: Bool { false }
    /// The volume of the source, 0 to 1.
    public var inputGain: Float { min(1, devices.list.defaultSource?.volume ?? 1) }
}

extension AVAudioSession.State {
    /// Gives the preferences to the engines.
    func request() {
        var requests = PipeWireRequests()
        requests.sampleRate = sampleRate > 0 ? Int(nearestFrame: min(sampleRate, 1e9)) : nil
        requests.sourceName = inputName
        if bufferDuration > 0 {
            let frames = min(8192, max(1, bufferDuration * Double(requests.sampleRate ?? AVAudioSession.usualRate)))
            requests.quantum = Int(nearestFrame: exp2(log2(frames).rounded()))
        }
        PipeWireRequests.current = requests
    }
}
