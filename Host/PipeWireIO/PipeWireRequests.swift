// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A program's requests to the graph, for all engines without a driver of their own. Any thread but the render thread.

import CPipeWireShims
import Synchronization

/// The requests of drivers that engines have made themselves, from their next start on.
public struct PipeWireRequests: Sendable, Equatable {
    /// The sample rate in hertz, 1 to 768,000; nil for the graph's choice.
    public var sampleRate: Int?
    /// The cycle's length in frames, 1 to 8192; nil for the graph's choice.
    public var quantum: Int?
    /// The source to record from as long as it exists; nil for the default source.
    public var sourceName: String?

    /// Makes an empty set of requests.
    public init() {}

    private static let shared = Mutex(PipeWireRequests())

    /// The program's requests.
    public static var current: PipeWireRequests {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    /// True if all drivers of the program hear silence instead of their inputs, from the next cycle on.
    public static var isInputMuted: Bool {
        get { CPipeWireShims_isInputMuted() }
        set { CPipeWireShims_setInputMuted(newValue) }
    }
}

extension PipeWireConfiguration {
    /// The configuration, completed by requests.
    func following(_ requests: PipeWireRequests) -> PipeWireConfiguration {
        var configuration = self
        configuration.sampleRate = sampleRate ?? requests.sampleRate
        configuration.quantum = quantum ?? requests.quantum
        configuration.preferredSourceName = requests.sourceName
        return configuration
    }
}
