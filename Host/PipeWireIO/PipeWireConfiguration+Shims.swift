// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The configuration in its C form. Control thread.

import CPipeWireShims
import Glibc
import Rendering

extension PipeWireTarget {
    var policy: CPipeWireShims_LinkPolicy {
        switch self {
        case .unlinked: CPipeWireShims_LinkNothing
        case .defaultDevice: CPipeWireShims_LinkDefault
        case .named: CPipeWireShims_LinkNamed
        }
    }

    var name: String? {
        if case .named(let name) = self { name } else { nil }
    }
}

extension PipeWireVirtualDevice {
    var kind: CPipeWireShims_DeviceKind {
        switch self {
        case .sink: CPipeWireShims_Sink
        case .source: CPipeWireShims_Source
        }
    }
}

extension PipeWireConfiguration {
    /// The name of the virtual device, which is the configuration's; the node behind it has its own name.
    var virtualDeviceName: String { nodeName }
    private var ownNodeName: String { virtualDevice == nil ? nodeName : "\(nodeName)-chain" }
    private var ownDescription: String { virtualDevice == nil ? description : "\(description) (chain)" }

    private var mediaCategory: String {
        switch (kind, inputChannelCount) {
        case (.playback, 0): "Playback"
        case (.playback, _): "Duplex"
        case (.filter, _): "Filter"
        }
    }

    /// Calls `body` with the configuration in its C form; the strings live as long as the call.
    func withShimsConfiguration<Result>(
        context: UnsafeMutableRawPointer, _ body: (inout CPipeWireShims_Configuration) -> Result
    ) -> Result {
        let strings = CStrings()
        let further = inputBuses.flatMap(\.ports)
        var configuration = CPipeWireShims_Configuration(
            socketPath: strings.copy(socketPath), nodeName: strings.copy(ownNodeName),
            nodeDescription: strings.copy(ownDescription), mediaName: strings.copy(ownDescription),
            mediaCategory: strings.copy(mediaCategory), mediaRole: strings.copy(kind == .playback ? "Music" : "DSP"),
            inputCount: UInt32(inputChannelCount), outputCount: UInt32(outputChannelCount),
            channelNames: (
                strings.copy(inputChannelNames.joined(separator: " ") as String?),
                strings.copy(outputChannelNames.joined(separator: " ") as String?)
            ),
            furtherPortNames: strings.copy(further.map(\.name)), furtherPortChannels: strings.copy(further.map(\.channel)),
            furtherPortCount: UInt32(further.count),
            midiPortNames: strings.copy(midiInputNames), midiPortCount: UInt32(midiInputNames.count),
            midiOutputName: strings.copy(midiOutputName), quantum: UInt32(clamping: quantum ?? 0),
            sampleRate: UInt32(clamping: sampleRate ?? 0),
            forcesQuantum: forcesQuantum, forcesSampleRate: forcesSampleRate, alwaysProcesses: kind == .filter,
            waitsForLinks: kind == .playback && sink != .unlinked, sinkPolicy: sink.policy,
            sourcePolicy: source.policy, sinkName: strings.copy(sink.name),
            sourceName: strings.copy(source.name ?? preferredSourceName), awaitsSource: awaitsSource,
            awaitsSink: awaitsSink, deviceKind: virtualDevice?.kind ?? CPipeWireShims_NoDevice,
            deviceName: strings.copy(virtualDevice.map { _ in virtualDeviceName }),
            deviceDescription: strings.copy(virtualDevice.map { _ in description }), failureEvent: -1, process: renderPipeWireCycle,
            context: context)
        return withExtendedLifetime(strings) { body(&configuration) }
    }
}

extension DriverBus {
    /// The names of its ports, and their channels.
    var ports: [(name: String, channel: String)] {
        guard channelCount != 1 else { return [(name, "MONO")] }
        let surround = ["FL", "FR", "FC", "LFE", "RL", "RR", "SL", "SR"]
        let usual = [2: ["FL", "FR"], 4: ["FL", "FR", "RL", "RR"], 6: surround.dropLast(2), 8: surround][channelCount]
        return (0..<channelCount).map { index in
            let channel = usual?[index] ?? "AUX\(index)"
            return ("\(name)_\(channel)", channel)
        }
    }
}

/// C strings that live as long as this object.
private final class CStrings {
    private var owned: [UnsafeMutablePointer<CChar>] = []
    private var lists: [UnsafeMutablePointer<UnsafePointer<CChar>>] = []

    func copy(_ string: String) -> UnsafePointer<CChar> {
        // Cannot trap: a name of a few bytes.
        guard let copied = strdup(string) else { fatalError("Out of memory for a string.") }
        owned.append(copied)
        return UnsafePointer(copied)
    }

    func copy(_ string: String?) -> UnsafePointer<CChar>? {
        string.map { copy($0) as UnsafePointer<CChar> }
    }

    func copy(_ strings: [String]) -> UnsafePointer<UnsafePointer<CChar>> {
        let list = UnsafeMutablePointer<UnsafePointer<CChar>>.allocate(capacity: max(1, strings.count))
        for (index, string) in strings.enumerated() { (list + index).initialize(to: copy(string)) }
        lists.append(list)
        return UnsafePointer(list)
    }

    deinit {
        for string in owned { free(string) }
        for list in lists { list.deallocate() }
    }
}
