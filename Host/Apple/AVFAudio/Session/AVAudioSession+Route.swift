// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The devices of the session. Any thread but the render thread.

import AudioFormats
import Foundation
import PipeWireIO

extension AVAudioSession {
    /// PipeWire's default source or the preferred input, and its default sink; empty without PipeWire or a device.
    ///
    /// A category does not change it. The first call waits for PipeWire's answer, at most 3 s.
    public var currentRoute: AVAudioSessionRouteDescription {
        AVAudioSessionRouteDescription(devices.list, preferredInput: state.withLock { $0.inputName })
    }

    /// All sources.
    public var availableInputs: [AVAudioSessionPortDescription]? {
        devices.list.sources.map(AVAudioSessionPortDescription.init)
    }

    /// True if there is a source.
    public var isInputAvailable: Bool { devices.list.defaultSource != nil }

    /// Does nothing: the user chooses the sink, and no sink is a receiver at an ear.
    public func overrideOutputAudioPort(_ portOverride: PortOverride) throws {}

    /// The selectable parts of the source: none.
    public var inputDataSources: [AVAudioSessionDataSourceDescription]? { nil }
    /// The selected part of the source: none.
    public var inputDataSource: AVAudioSessionDataSourceDescription? { nil }
    /// The selectable parts of the sink: none.
    public var outputDataSources: [AVAudioSessionDataSourceDescription]? { nil }
    /// The selected part of the sink: none.
    public var outputDataSource: AVAudioSessionDataSourceDescription? { nil }

    /// Selects a part of the source; only nil is allowed.
    public func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws { try check(dataSource) }

    /// Selects a part of the sink; only nil is allowed.
    public func setOutputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws { try check(dataSource) }

    private func check(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        guard let dataSource else { return }
        throw Self.error(.badParam, "There is no data source \"\(dataSource.dataSourceName)\".")
    }

    // MARK: Properties of the devices

    /// The rate in hertz of an engine that starts now, unless another program requests another one.
    public var sampleRate: Double {
        let rate = devices.list.sampleRate(requesting: PipeWireRequests.current.sampleRate)
        return rate > 0 ? Double(rate) : 48_000
    }

    /// The length of a cycle in seconds, unless another program requests a shorter one.
    public var ioBufferDuration: TimeInterval {
        let (list, requests, rate) = (devices.list, PipeWireRequests.current, sampleRate)
        // Requests are in frames of the rate that they name.
        let wish = requests.quantum.map {
            Int(nearestFrame: Double($0) * rate / Double(requests.sampleRate ?? AVAudioSession.usualRate))
        }
        let quantum = list.quantum(requesting: wish)
        return Double(quantum > 0 ? quantum : 1024) / rate
    }

    /// The seconds between a source and an engine: one cycle, because PipeWire tells no more.
    public var inputLatency: TimeInterval { ioBufferDuration }
    /// The seconds between an engine and a sink: one cycle, because PipeWire tells no more.
    public var outputLatency: TimeInterval { ioBufferDuration }

    /// The channels of the source; 0 without one.
    public var inputNumberOfChannels: Int { currentRoute.inputs.first?.channels?.count ?? 0 }
    /// The channels of the sink; without one 2, as an engine has.
    public var outputNumberOfChannels: Int { currentRoute.outputs.first?.channels?.count ?? 2 }
    /// The channels of the source; 0 without one.
    public var maximumInputNumberOfChannels: Int { inputNumberOfChannels }
    /// The channels of the sink; without one 2, as an engine has.
    public var maximumOutputNumberOfChannels: Int { outputNumberOfChannels }

    /// The volume of the sink that users see, 0 to 1; 0 while it is muted, and 1 without a sink.
    public var outputVolume: Float { min(1, devices.list.defaultSink?.volume ?? 1) }

    /// True if streams of other programs play; engines of other programs are filters in PipeWire, and do not count.
    public var isOtherAudioPlaying: Bool { devices.list.hasRunningStreams }
    /// The same as `isOtherAudioPlaying`.
    public var secondaryAudioShouldBeSilencedHint: Bool { isOtherAudioPlaying }
    /// The form of announcements.
    public var promptStyle: PromptStyle { .normal }
}
