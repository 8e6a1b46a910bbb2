// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Changes of the driver and its devices, as lines for the user. The engine's thread adds them, the main thread takes them.

import AudioGraph
import Console
import LinuxSystem
import Synchronization

/// The changes that have not been shown yet.
final class DeviceMessages: Sendable {
    private let waiting = Mutex<[AudioEngineConfigurationChange]>([])

    /// Collects the changes of an engine; each rings the event.
    init(of engine: AudioEngine, ringing event: EventDescriptor) {
        engine.watchConfiguration { [weak self] change in
            self?.waiting.withLock { $0.append(change) }
            event.ring()
        }
    }

    /// Takes the changes since the last call.
    func take() -> [AudioEngineConfigurationChange] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}

extension AudioEngineConfigurationChange {
    /// The sentence about the change.
    var sentence: String {
        switch self {
        case .driverLost(let reason): "\(reason) Waiting for it."
        case .driverReturned: "PipeWire is back."
        case .deviceLost("", let isInput): "There is no \(Self.side(isInput)). Waiting for one."
        case .deviceLost(let name, let isInput): "The \(Self.side(isInput)) \"\(name)\" is gone. Waiting for it."
        case .deviceReturned(let name, let isInput): "Linked to the \(Self.side(isInput)) \"\(name)\"."
        case .deviceChanged(let former, let name, let isInput):
            "Linked to the \(Self.side(isInput)) \"\(name)\" now, in place of \"\(former)\"."
        case .rateChanged(let former, let rate):
            "The graph runs at \(Decimal.shortest(rate)) Hz now, in place of \(Decimal.shortest(former)) Hz."
        case .unitLeftOut(let node, let reason):
            "\(node) is left out and its input passed on, until the rate is another one: \(reason)"
        case .followUpFailed(let reason): "Couldn't finish a change of the graph: \(reason) What plays goes on."
        case .unitReturned(let node): "\(node) takes this rate and is heard again."
        }
    }

    private static func side(_ isInput: Bool) -> String { isInput ? "source" : "sink" }
}
