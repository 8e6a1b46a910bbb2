// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The buses of a unit by the names of Apple's systems. Any thread but the render thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioGraph
import Foundation
import PluginHosting

/// The direction of a bus.
public enum AUAudioUnitBusType: Int, Sendable {
    /// An input of the unit.
    case input = 1
    /// An output of the unit.
    case output = 2
}

/// A bus of a unit.
public final class AUAudioUnitBus: NSObject, Sendable {
    private let owner: AUAudioUnit
    /// The direction.
    public let busType: AUAudioUnitBusType
    /// The number of the bus.
    public let index: Int

    init(_ owner: AUAudioUnit, _ busType: AUAudioUnitBusType, _ index: Int) {
        (self.owner, self.busType, self.index) = (owner, busType, index)
    }

    /// The format; 0 channels at 0 Hz for a bus that the unit lacks.
    public var format: AVAudioFormat {
        if let node = owner.node { return busType == .input ? node.inputFormat(forBus: index) : node.outputFormat(forBus: index) }
        guard let unit = owner.plugin, let bus = description(in: unit) else { return AudioFormat(sampleRate: 0, channelCount: 0) }
        return index == 0
            ? unit.format : AudioFormat(sampleRate: unit.format.sampleRate, channelCount: bus.defaultFormat.channelCount)
    }

    /// Sets the format of the first buses of a unit without a node; otherwise it throws.
    public func setFormat(_ format: AVAudioFormat) throws {
        guard owner.node == nil, index == 0 else { throw AUAudioUnitError.formatFollowsConnections }
        guard let plugin = owner.plugin else { throw AUAudioUnitError.noPlugin }
        try plugin.setFormat(format.standard)
    }

    /// The name; nil if the bus has none.
    public var name: String? { owner.plugin.flatMap { description(in: $0)?.name } }

    private func description(in unit: PluginUnit) -> Bus? {
        let buses = busType == .input ? unit.unitDescription.inputs : unit.unitDescription.outputs
        return buses.indices.contains(index) ? buses[index] : nil
    }
}

/// The buses of a unit.
public final class AUAudioUnitBusArray: NSObject, Sendable {
    private let owner: AUAudioUnit
    /// The direction of the buses.
    public let busType: AUAudioUnitBusType

    init(_ owner: AUAudioUnit, _ busType: AUAudioUnitBusType) { (self.owner, self.busType) = (owner, busType) }

    /// The number of buses.
    public var count: Int {
        let (isInput, unit) = (busType == .input, owner.plugin?.unitDescription)
        if let node = owner.node { return isInput ? node.numberOfInputs : node.numberOfOutputs }
        return (isInput ? unit?.inputs.count : unit?.outputs.count) ?? 0
    }

    /// False: the number of buses is fixed.
    public var isCountChangeable: Bool { false }

    /// A bus; a bus that the unit lacks has no channels.
    public subscript(index: Int) -> AUAudioUnitBus { AUAudioUnitBus(owner, busType, index) }
}

extension AUAudioUnit {
    /// The input buses of the unit.
    public var inputBusses: AUAudioUnitBusArray { AUAudioUnitBusArray(self, .input) }
    /// The output buses of the unit.
    public var outputBusses: AUAudioUnitBusArray { AUAudioUnitBusArray(self, .output) }
}
