// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The rates at which nodes run, and the converters on connections between different rates. Any thread but the render thread.

import RateConversion
import Rendering

/// Converts from an output bus for all destinations that run at another rate.
final class ConnectedConverter: Sendable {
    /// The parameters of a converter.
    struct Key: Hashable {
        let bus: Int
        let from: Double
        let to: Double
        let channelCount: Int
        let maximumFrameCount: Int
        let quality: RateQuality
        let driverRate: Double

        /// True if all is the same but the quality.
        func isLike(_ other: Key) -> Bool {
            bus == other.bus && from == other.from && to == other.to && channelCount == other.channelCount
                && maximumFrameCount == other.maximumFrameCount && driverRate == other.driverRate
        }
    }

    let node: RateConverterNode
    let history = NodeHistory()
    /// The connection to the converter in plans: it is audible at once.
    let connection = ConnectionState.standing()

    init(_ key: Key, source: NodeHistory) throws(RateConversionError) {
        node = try RateConverterNode(
            channelCount: key.channelCount, from: key.from, to: key.to, quality: key.quality,
            maximumFrameCount: key.maximumFrameCount, driverRate: key.driverRate, source: source)
    }
}

extension AudioNode {
    /// Makes the converter for a bus, if there is none yet.
    func makeConverter(_ key: ConnectedConverter.Key) throws(AudioEngineError) {
        guard converters.withLock({ $0[key] }) == nil else { return }
        do throws(RateConversionError) {
            let made = try ConnectedConverter(key, source: history)
            converters.withLock { $0[key] = made }
        } catch {
            throw .formatRefused(
                node: NamedNode(self), bus: key.bus, AudioFormat(sampleRate: key.to, channelCount: key.channelCount),
                reason: error.reason)
        }
    }

    /// Returns the converter for a bus, or one of another quality; nil if there is none yet.
    func converter(_ key: ConnectedConverter.Key) -> ConnectedConverter? {
        converters.withLock { converters in
            converters[key] ?? converters.first { $0.key.isLike(key) }?.value
        }
    }
}

extension AudioEngine {
    /// Returns the rate at which a node renders, in hertz.
    static func sampleRate(of record: GraphState.Record, _ engine: AudioFormat) -> Double {
        switch record.node.body.rateOrigin {
        case .engine: engine.sampleRate
        case .output: busFormat(of: record, 0, isInput: false, engine).sampleRate
        case .input: busFormat(of: record, 0, isInput: true, engine).sampleRate
        }
    }

    /// Makes the converters of all connections and taps that are rendered, and the nodes of sources' own speeds.
    func makeConverters(_ environment: RenderEnvironment) throws(AudioEngineError) {
        let (graph, engine, quality) = state.withLock { ($0.graph, Self.format(of: $0).at(environment.sampleRate), $0.quality) }
        let active = graph.activeNodes.compactMap { graph[$0] }
        for record in active {
            guard let speed = record.node.speed else { continue }
            for bus in 0..<record.node.numberOfOutputs {
                let channelCount = Self.channelCount(record, bus, isInput: false, engine)
                speed.makeNode(bus: bus, channelCount: channelCount, maximumFrameCount: environment.maximumFrameCount)
            }
        }
        let rates = active.map { Self.sampleRate(of: $0, engine) }
        let hasTaps = active.contains { record in record.node.taps.withLock { !$0.isEmpty } }
        guard hasTaps || rates.contains(where: { $0 != rates[0] }) else { return }
        for (record, rate) in zip(active, rates) {
            let node = record.node
            var wanted: [(bus: Int, rate: Double)] = record.outputs.flatMap { bus, links in
                links.compactMap { link in graph[link.destination].map { (bus, Self.sampleRate(of: $0, engine)) } }
            }
            wanted += node.taps.withLock { $0.map { ($0.bus, $0.format.sampleRate) } }
            for (bus, other) in wanted where other != rate {
                try node.makeConverter(
                    ConnectedConverter.Key(
                        bus: bus, from: rate, to: other, channelCount: Self.channelCount(record, bus, isInput: false, engine),
                        maximumFrameCount: environment.maximumFrameCount, quality: quality, driverRate: environment.sampleRate))
            }
        }
    }

    /// Returns the number of channels of a bus in a plan.
    static func channelCount(_ record: GraphState.Record, _ bus: Int, isInput: Bool, _ engine: AudioFormat) -> Int {
        (isInput ? record.node.body.inputChannelCount(of: bus) : record.node.body.outputChannelCount(of: bus))
            ?? busFormat(of: record, bus, isInput: isInput, engine).channelCount
    }

    /// The quality of the rate conversion on connections between two rates; `medium` unless the program sets another one.
    ///
    /// A change affects later connections and later starts of the engine.
    public var rateConversionQuality: RateQuality {
        get { state.withLock { $0.quality } }
        set { state.withLock { $0.quality = newValue } }
    }
}
