// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Bodies of control messages, as each side reads the other's. The fuzzer's thread.

import AudioUnits
import CWireLayout
import ControlMessages
import Wire

extension FuzzTarget {
    /// A byte that chooses the kind, and a body.
    static let pluginMessage = FuzzTarget(
        "plugin-message", seeds: Specimens.pluginMessages.map { [UInt8($0.kind - firstPluginKind)] + $0.body }
    ) { bytes in
        guard let kind = bytes.first else { return }
        let known = firstPluginKind + UInt16(kind) % pluginKindCount
        guard let message = try? PluginMessage(kind: known, body: Array(bytes.dropFirst())) else { return }
        // An accepted message can be written again, and is then the same.
        guard let again = try? PluginMessage(kind: message.kind, body: message.body) else { fatalError("not readable twice") }
        precondition(again.body == message.body)
        if case .welcome(let welcome) = message { use(welcome) }
    }

    static let hostMessage = FuzzTarget(
        "host-message", seeds: Specimens.hostMessages.map { [UInt8($0.kind - 1)] + $0.body }
    ) { bytes in
        guard let kind = bytes.first else { return }
        let known = 1 + UInt16(kind) % hostKindCount
        guard let message = try? HostMessage(kind: known, body: Array(bytes.dropFirst())) else { return }
        guard let again = try? HostMessage(kind: message.kind, body: message.body) else { fatalError("not readable twice") }
        precondition(again.body == message.body)
        if case .allocate(let allocation) = message { use(allocation.output) }
        if case .wire(let rewiring) = message { for connection in rewiring.connections { connection.map { use($0.layout) } } }
    }

    private static let firstPluginKind: UInt16 = 65
    private static let pluginKindCount: UInt16 = 7
    private static let hostKindCount: UInt16 = 13
}

/// Uses a welcome as hosts do.
private func use(_ welcome: Welcome) {
    for (keyPath, parameter) in welcome.parameters.parameters {
        precondition(welcome.parameters.keyPath(ofAddress: parameter.address) == keyPath)
        for value in [parameter.defaultValue, parameter.range.lowerBound, parameter.range.upperBound] {
            _ = parameter.string(from: value)
        }
    }
    let description = welcome.description
    try? description.checkFormats(
        inputs: description.inputs.map(\.defaultFormat), outputs: description.outputs.map(\.defaultFormat))
    precondition(ComponentDescription(description.component.description) == description.component)
}

private func use(_ layout: AudioMemoryLayout) {
    let last = layout.sampleOffset(slot: layout.slotCount - 1, channel: max(0, layout.channelCount - 1))
    precondition(layout.channelCount == 0 || (last + layout.frameStride) * 4 <= layout.byteCount)
}
