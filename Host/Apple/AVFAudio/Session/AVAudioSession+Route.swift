// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The devices of the session. Any thread but the render thread.

import Foundation
import PipeWireIO

extension AVAudioSession {
    /// PipeWire's default source, or the preferred input, and its default sink; empty where there is none, and without PipeWire.
    ///
    /// A category changes nothing of it. The first call waits until PipeWire has answered, 3 s at most.
    public var currentRoute: AVAudioSessionRouteDescription {
        AVAudioSessionRouteDescription(devices.list, preferredInput: state.withLock { $0.inputName })
    }

    /// All sources.
    public var availableInputs: [AVAudioSessionPortDescription]? {
        devices.list.sources.map(AVAudioSessionPortDescription.init)
    }

    /// Whether there is a source.
    public var isInputAvailable: Bool { devices.list.defaultSource != nil }

    /// Sends sound to the speaker or back: there is nothing to do.
    ///
    /// The user chooses the sink, and no sink is a receiver at an ear.
    public func overrideOutputAudioPort(_ portOverride: PortOverride) throws {}

    /// The parts of the source that can be chosen: none.
    public var inputDataSources: [AVAudioSessionDataSourceDescription]? { nil }
    /// The part of the source that is chosen: none.
    public var inputDataSource: AVAudioSessionDataSourceDescription? { nil }
    /// The parts of the sink that can be chosen: none.
    public var outputDataSources: [AVAudioSessionDataSourceDescription]? { nil }
    /// The part of the sink that is chosen: none.
    public var outputDataSource: AVAudioSessionDataSourceDescription? { nil }

    /// Chooses a part of the source; nil is all that there is to choose.
    public func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws { try check(dataSource) }

    /// Chooses a part of the sink; nil is all that there is to choose.
    public func setOutputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws { try check(dataSource) }

    private func check(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        guard let dataSource else { return }
        throw Self.error(.badParam, "There is no data source \"\(dataSource.dataSourceName)\".")
    }

    // MARK: What the devices give

    /// The rate in hertz at which an engine that starts now would run, as far as no other program wants another one.
    public var sampleRate: Double {
        let rate = devices.list.sampleRate(requesting: PipeWireRequests.current.sampleRate)
        return rate > 0 ? Double(rate) : 48_000
    }

    /// The length of a cycle in seconds, as far as no other program wants a shorter one.
    public var ioBufferDuration: TimeInterval {
        let (list, requests, rate) = (devices.list, PipeWireRequests.current, sampleRate)
        // Requests are in frames of the rate that goes with them.
        let wish = requests.quantum.map { Int(Double($0) * rate / Double(requests.sampleRate ?? AVAudioSession.usualRate)) }
        let quantum = list.quantum(requesting: wish)
        return Double(quantum > 0 ? quantum : 1024) / rate
    }

    /// The seconds between a source and an engine: a cycle, as far as PipeWire tells.
    public var inputLatency: TimeInterval { ioBufferDuration }
    /// The seconds between an engine and a sink: a cycle, as far as PipeWire tells.
    public var outputLatency: TimeInterval { ioBufferDuration }

    /// The channels of the source; 0 without one.
    public var inputNumberOfChannels: Int { currentRoute.inputs.first?.channels?.count ?? 0 }
    /// The channels of the sink; 2, as an engine has, without one.
    public var outputNumberOfChannels: Int { currentRoute.outputs.first?.channels?.count ?? 2 }
    /// The channels of the source; 0 without one.
    public var maximumInputNumberOfChannels: Int { inputNumberOfChannels }
    /// The channels of the sink; 2, as an engine has, without one.
    public var maximumOutputNumberOfChannels: Int { outputNumberOfChannels }

    /// The volume of the sink as users see it, 0 to 1; 0 while it is muted, and 1 without a sink.
    public var outputVolume: Float { min(1, devices.list.defaultSink?.volume ?? 1) }

    /// Whether streams of other programs play; engines in other programs are filters for PipeWire, and do not count.
    public var isOtherAudioPlaying: Bool { devices.list.hasRunningStreams }
    /// The same as `isOtherAudioPlaying`.
    public var secondaryAudioShouldBeSilencedHint: Bool { isOtherAudioPlaying }
    /// How announcements may sound.
    public var promptStyle: PromptStyle { .normal }
}
