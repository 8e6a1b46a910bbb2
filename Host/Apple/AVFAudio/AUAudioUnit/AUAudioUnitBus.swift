// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The buses of a unit by the names of Apple's systems. Any thread but the render thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioGraph
import Foundation
import PluginHosting

/// Which way a bus leads.
public enum AUAudioUnitBusType: Int, Sendable {
    /// Into the unit.
    case input = 1
    /// Out of the unit.
    case output = 2
}

/// A bus of a unit.
public final class AUAudioUnitBus: NSObject, Sendable {
    private let owner: AUAudioUnit
    /// Which way it leads.
    public let busType: AUAudioUnitBusType
    /// Its number.
    public let index: Int

    init(_ owner: AUAudioUnit, _ busType: AUAudioUnitBusType, _ index: Int) {
        (self.owner, self.busType, self.index) = (owner, busType, index)
    }

    /// The format; 0 channels at 0 Hz for a bus that the unit does not have.
    public var format: AVAudioFormat {
        if let node = owner.node { return busType == .input ? node.inputFormat(forBus: index) : node.outputFormat(forBus: index) }
        guard let unit = owner.plugin, let bus = description(in: unit) else { return AudioFormat(sampleRate: 0, channelCount: 0) }
        return index == 0
            ? unit.format : AudioFormat(sampleRate: unit.format.sampleRate, channelCount: bus.defaultFormat.channelCount)
    }

    /// Sets the format of the first buses of a unit that no node has; otherwise it throws.
    public func setFormat(_ format: AVAudioFormat) throws {
        guard owner.node == nil, index == 0 else { throw AUAudioUnitError.formatFollowsConnections }
        guard let plugin = owner.plugin else { throw AUAudioUnitError.noPlugin }
        try plugin.setFormat(format.standard)
    }

    /// The name; nil where there is none.
    public var name: String? { owner.plugin.flatMap { description(in: $0)?.name } }

    private func description(in unit: PluginUnit) -> Bus? {
        let buses = busType == .input ? unit.unitDescription.inputs : unit.unitDescription.outputs
        return buses.indices.contains(index) ? buses[index] : nil
    }
}

/// The buses of a unit.
public final class AUAudioUnitBusArray: NSObject, Sendable {
    private let owner: AUAudioUnit
    /// Which way they lead.
    public let busType: AUAudioUnitBusType

    init(_ owner: AUAudioUnit, _ busType: AUAudioUnitBusType) { (self.owner, self.busType) = (owner, busType) }

    /// How many there are.
    public var count: Int {
        let (isInput, unit) = (busType == .input, owner.plugin?.unitDescription)
        if let node = owner.node { return isInput ? node.numberOfInputs : node.numberOfOutputs }
        return (isInput ? unit?.inputs.count : unit?.outputs.count) ?? 0
    }

    /// Whether their number can be changed: it cannot.
    public var isCountChangeable: Bool { false }

    /// A bus; one that is not there has no channels.
    public subscript(index: Int) -> AUAudioUnitBus { AUAudioUnitBus(owner, busType, index) }
}

extension AUAudioUnit {
    /// The buses that lead into the unit.
    public var inputBusses: AUAudioUnitBusArray { AUAudioUnitBusArray(self, .input) }
    /// The buses that lead out of the unit.
    public var outputBusses: AUAudioUnitBusArray { AUAudioUnitBusArray(self, .output) }
}
