// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The driver that a command plays on. Main thread.

import AudioFormats
import LinuxSystem
import PipeWireIO
import Rendering

/// The choice of a driver on a command line.
struct DriverArguments {
    enum Kind: String, CaseIterable {
        case pipewire, null
    }

    var kind = Kind.pipewire
    /// The frames in a cycle; nil lets PipeWire's graph choose.
    var quantum: Int?
    var input: String?
    var output: String?
    /// The device that programs see instead of the node.
    var device: PipeWireVirtualDevice?

    static var table: [OptionReader<DriverArguments>] {
        [
            .choice(
                "--driver", "D", among: Kind.allCases, "Play to PipeWire, or to a timer without sound (null)", default: "pipewire"
            ) {
                $0.kind = $1
            },
            quantum,
        ]
    }

    static var quantum: OptionReader<DriverArguments> {
        .integer("--quantum", "N", in: 16...8192, "Frames in a cycle, from 16 to 8192", default: "the graph's choice") {
            $0.quantum = $1
        }
    }

    /// A driver for playback, which asks PipeWire for a rate in hertz.
    ///
    /// PipeWire's graph accepts it if its settings allow the rate and no other program plays.
    func player(channelCount: Int, sampleRate: Double, layout: ChannelLayout? = nil) -> any AudioDriver {
        switch kind {
        case .null:
            Scheduling.raiseRealtimeLimits()
            return NullDriver(channelCount: channelCount, quantum: quantum ?? 1024, sampleRate: sampleRate)
        case .pipewire:
            var configuration = PipeWireConfiguration(
                nodeName: "bulkhead", description: "Bulkhead", kind: .playback, outputChannelCount: channelCount)
            configuration.sampleRate = Int(exactly: sampleRate.rounded())
            configuration.outputChannelNames = layout?.speakers.map(\.name) ?? []
            configure(&configuration)
            return PipeWireDriver(configuration)
        }
    }

    /// A node in PipeWire's graph with inputs and outputs, or only with outputs.
    func insert(channelCount: Int, name: String? = nil, hasInputs: Bool = true) -> any AudioDriver {
        var configuration = PipeWireConfiguration(
            nodeName: name ?? "bulkhead-live", description: name ?? "Bulkhead live", kind: .filter,
            outputChannelCount: channelCount,
            inputChannelCount: hasInputs ? channelCount : 0)
        configuration.hasMIDIInput = true
        configuration.midiOutputName = "midi_out"
        configuration.quantum = quantum
        configuration.forcesQuantum = quantum != nil
        configuration.virtualDevice = device
        if device == .sink { (configuration.sink, configuration.awaitsSink) = (.defaultDevice, true) }
        if device == .source, hasInputs { (configuration.source, configuration.awaitsSource) = (.defaultDevice, true) }
        if let output { configuration.sink = .named(output) }
        if let input { configuration.source = .named(input) }
        return PipeWireDriver(configuration)
    }

    /// A virtual sink of these loudspeakers, whose sound goes on to two channels.
    func surround(_ speakers: [Speaker], name: String) -> any AudioDriver {
        var configuration = PipeWireConfiguration(
            nodeName: name, description: name, kind: .filter, outputChannelCount: 2, inputChannelCount: speakers.count)
        configuration.inputChannelNames = speakers.map(\.name)
        (configuration.virtualDevice, configuration.awaitsSink) = (.sink, true)
        configuration.sink = .defaultDevice
        configure(&configuration)
        return PipeWireDriver(configuration)
    }

    private func configure(_ configuration: inout PipeWireConfiguration) {
        configuration.quantum = quantum
        configuration.forcesQuantum = quantum != nil
        if let output { configuration.sink = .named(output) }
    }
}
