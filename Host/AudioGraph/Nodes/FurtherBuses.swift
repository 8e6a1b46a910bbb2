// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The buses of the input or the output beside the main one, and their channels. Any thread.

import AudioFormats
import Rendering
import Synchronization

/// The buses beside the main one: those named before the start, and those added since.
struct FurtherBuses {
    /// The buses named before the start; the first one is bus 1.
    private(set) var named: [DriverBus] = []
    /// The buses added since.
    ///
    /// A removed bus leaves its entry to the next added one, so that the others keep their numbers.
    private var added: [Added] = []

    private struct Added {
        let channelCount: Int
        /// The first channel behind the main ones; nil once the bus has been removed.
        var start: Int?
    }

    init(named: [DriverBus] = []) { self.named = named }

    /// The number of bus numbers in use.
    var count: Int { named.count + added.count }

    /// The channels of each bus, counted from the first one behind the main ones.
    var channels: [Range<Int>] {
        var start = 0
        let named = named.map { bus in
            defer { start += bus.channelCount }
            return start..<start + bus.channelCount
        }
        return named + added.map { bus in bus.start.map { $0..<$0 + bus.channelCount } ?? 0..<0 }
    }

    /// Returns the number of channels of a bus, which a removed bus keeps while it fades out; nil for the main bus.
    func channelCount(ofBus bus: Int) -> Int? {
        let index = bus - 1 - named.count
        if named.indices.contains(bus - 1) { return named[bus - 1].channelCount }
        return added.indices.contains(index) ? added[index].channelCount : nil
    }

    /// Adds a bus whose channels begin at `start` behind the main ones; returns its number.
    mutating func add(channelCount: Int, at start: Int) -> Int {
        let bus = Added(channelCount: channelCount, start: start)
        if let index = added.firstIndex(where: { $0.start == nil && $0.channelCount == channelCount }) {
            added[index] = bus
            return 1 + named.count + index
        }
        added.append(bus)
        return count
    }

    /// Removes a bus that `add` has added.
    mutating func remove(_ bus: Int) {
        let index = bus - 1 - named.count
        if added.indices.contains(index) { added[index].start = nil }
    }
}

/// The further buses of an end of the graph, which the node and its body share.
final class SharedFurtherBuses: Sendable {
    private let buses = Mutex(FurtherBuses())

    func withLock<Result: Sendable>(_ body: (inout FurtherBuses) -> Result) -> Result { buses.withLock { body(&$0) } }

    /// Returns the format of an unconnected bus: the engine's, with the channels of a further bus.
    func format(ofBus bus: Int, in engine: AudioFormat?) -> AudioFormat {
        let format = engine ?? .stereo(in: nil)
        guard bus > 0, let count = withLock({ $0.channelCount(ofBus: bus) }) else { return format }
        return AudioFormat(sampleRate: format.sampleRate, channelCount: count)
    }
}
