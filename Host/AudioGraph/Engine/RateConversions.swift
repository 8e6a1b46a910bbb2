// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The rates at which nodes run, and the converters on connections between different ones. Any thread but the render thread.

import RateConversion
import Rendering

/// A converter on the way from an output bus to everything that runs at another rate.
final class ConnectedConverter: Sendable {
    /// What a converter is made for.
    struct Key: Hashable {
        let bus: Int
        let from: Double
        let to: Double
        let channelCount: Int
        let maximumFrameCount: Int
        let quality: RateQuality
        let driverRate: Double

        /// Whether all is the same but the quality.
        func isLike(_ other: Key) -> Bool {
            bus == other.bus && from == other.from && to == other.to && channelCount == other.channelCount
                && maximumFrameCount == other.maximumFrameCount && driverRate == other.driverRate
        }
    }

    let node: RateConverterNode
    let history = NodeHistory()
    /// What plans know of the connection to the converter: it is there at once.
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

    /// The converter for a bus, or one of another quality; nil before there is one.
    func converter(_ key: ConnectedConverter.Key) -> ConnectedConverter? {
        converters.withLock { converters in
            converters[key] ?? converters.first { $0.key.isLike(key) }?.value
        }
    }
}

extension AudioEngine {
    /// The rate at which a node renders.
    static func sampleRate(of record: GraphState.Record, _ engine: AudioFormat) -> Double {
        switch record.node.body.rateOrigin {
        case .engine: engine.sampleRate
        case .output: busFormat(of: record, 0, isInput: false, engine).sampleRate
        case .input: busFormat(of: record, 0, isInput: true, engine).sampleRate
        }
    }

    /// Makes the converters of all connections and taps that are rendered.
    func makeConverters(_ environment: RenderEnvironment) throws(AudioEngineError) {
        let (graph, engine, quality) = state.withLock { ($0.graph, Self.format(of: $0).at(environment.sampleRate), $0.quality) }
        let active = graph.activeNodes.compactMap { graph[$0] }
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

    /// The channels of a bus in a plan.
    static func channelCount(_ record: GraphState.Record, _ bus: Int, isInput: Bool, _ engine: AudioFormat) -> Int {
        (isInput ? record.node.body.inputChannelCount(of: bus) : record.node.body.outputChannelCount(of: bus))
            ?? busFormat(of: record, bus, isInput: isInput, engine).channelCount
    }

    /// How well rates are converted where a connection joins two of them; `medium` unless the program asks for another one.
    ///
    /// It counts for connections that are made, or engines that are started, from then on.
    public var rateConversionQuality: RateQuality {
        get { state.withLock { $0.quality } }
        set { state.withLock { $0.quality = newValue } }
    }
}
