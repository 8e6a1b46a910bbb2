// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Warnings about the graph of PipeWire: another block length than asked for, freewheel, fewer channels. Main thread.

import PipeWireIO
import Rendering

/// Looks at a driver about 20 times a second.
struct DriverWarnings {
    private var wasAhead = false
    private var toldQuantum = 0
    private var toldChannels: Int?

    /// Returns the sentences about what has begun or ended since the last call.
    mutating func take(from driver: any AudioDriver) -> [String] {
        guard let driver = driver as? PipeWireDriver else { return [] }
        return [speed(of: driver), quantum(of: driver), channels(of: driver)].compactMap { $0 }
    }

    private mutating func speed(of driver: PipeWireDriver) -> String? {
        let isAhead = driver.isAheadOfRealTime
        guard isAhead != wasAhead else { return nil }
        wasAhead = isAhead
        guard isAhead else { return "PipeWire runs in real time again." }
        let outcome = driver.configuration.kind == .playback ? "The music waits for it." : "Nothing counts as late meanwhile."
        return "PipeWire runs faster than real time, because another program freewheels. \(outcome)"
    }

    private mutating func quantum(of driver: PipeWireDriver) -> String? {
        let quantum = driver.status.quantum
        guard let wanted = driver.configuration.quantum, quantum > 0, quantum != toldQuantum, !wasAhead else { return nil }
        toldQuantum = quantum
        return Self.sentence(wanted: wanted, got: quantum, takesAnyQuantum: PipeWireDaemon.takesAnyQuantum)
    }

    /// The sentence about another quantum than the wanted one; nil if it is that one.
    static func sentence(wanted: Int, got quantum: Int, takesAnyQuantum: Bool) -> String? {
        guard quantum != wanted else { return nil }
        let isPossible = wanted & (wanted - 1) == 0 || takesAnyQuantum
        let reason = isPossible ? "its limits, or another program, ask for that" : "it takes powers of two"
        return "The cycles have \(quantum) frames and not the \(wanted) of --quantum: \(reason)."
    }

    private mutating func channels(of driver: PipeWireDriver) -> String? {
        let count = driver.sharingChannelCount
        guard count != toldChannels else { return nil }
        toldChannels = count
        return count.map(Self.sentence(sharing:))
    }

    /// The sentence about channels that are heard in one.
    static func sentence(sharing count: Int) -> String {
        let what = count == 2 ? "left and right are" : "all \(count) channels are"
        return "The sink has one channel: \(what) heard in it together, each at 1/\(count) of its level."
    }
}
