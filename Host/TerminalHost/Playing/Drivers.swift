// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which driver a command plays on. Main thread.

import LinuxSystem
import PipeWireIO
import Rendering

extension PipeWireDriver: LatencyReporting {}

/// The choice of a driver on a command line.
struct DriverArguments {
    enum Kind: String, CaseIterable {
        case pipewire, null
    }

    var kind = Kind.pipewire
    /// Frames a cycle, or nil for the graph's choice.
    var quantum: Int?
    var input: String?
    var output: String?

    static let options = [
        Option("--driver", "pipewire|null", "who asks for the audio; null is a timer, for machines without sound"),
        Option("--quantum", "N", "frames a cycle; the graph's own choice without it"),
    ]

    /// Takes a word if it belongs here.
    mutating func take(_ word: String, _ arguments: inout Arguments) throws(CommandError) -> Bool {
        switch word {
        case "--driver":
            let text = try arguments.value(of: word)
            guard let kind = Kind(rawValue: text) else {
                throw arguments.usage("--driver takes pipewire or null, not \"\(text)\".")
            }
            self.kind = kind
        case "--quantum": quantum = try arguments.integer(of: word, in: 16...8192)
        default: return false
        }
        return true
    }

    /// A driver that plays.
    func player(channelCount: Int, sampleRate: Double) -> any AudioDriver {
        switch kind {
        case .null:
            Scheduling.raiseRealtimeLimits()
            return NullDriver(channelCount: channelCount, quantum: quantum ?? 1024, sampleRate: sampleRate)
        case .pipewire:
            var configuration = PipeWireConfiguration(
                nodeName: "bulkhead", description: "Bulkhead", kind: .playback, outputChannelCount: channelCount)
            configure(&configuration)
            return PipeWireDriver(configuration)
        }
    }

    /// A node that anything can be patched through.
    func insert(channelCount: Int) -> any AudioDriver {
        var configuration = PipeWireConfiguration(
            nodeName: "bulkhead-live", description: "Bulkhead live", kind: .filter, outputChannelCount: channelCount,
            inputChannelCount: channelCount)
        configure(&configuration)
        if let input { configuration.source = .named(input) }
        return PipeWireDriver(configuration)
    }

    private func configure(_ configuration: inout PipeWireConfiguration) {
        configuration.quantum = quantum
        configuration.forcesQuantum = quantum != nil
        if let output { configuration.sink = .named(output) }
    }
}
