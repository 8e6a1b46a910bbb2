// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A driver on a timer, whose ports are linked, refused and lost as the test says. Test thread.

import Rendering
import Synchronization

final class PortDriver: AudioDriver {
    private let timer = NullDriver(channelCount: 2, quantum: 256, sampleRate: 48_000)
    private let state = Mutex(State())

    private struct State {
        var buses: [DriverBus] = []
        var linked: Set<String> = []
        var refusal: DriverBusError?
    }

    let capabilities: DriverCapabilities = .changingBuses
    func start(_ callback: RenderCallback) throws { try timer.start(callback) }
    func stop() { timer.stop() }
    var outputChannelCount: Int { timer.outputChannelCount }
    var status: DriverStatus { timer.status }
    var renderThreadIdentifier: Int32? { timer.renderThreadIdentifier }
    var failure: String? { nil }
    func tellOfFailure(event: Int32) {}

    func addBus(_ bus: DriverBus, isInput: Bool) throws(DriverBusError) -> Int {
        try state.withLock { state throws(DriverBusError) in
            if let refusal = state.refusal { throw refusal }
            defer { state.buses.append(bus) }
            return state.buses.reduce(0) { $0 + $1.channelCount }
        }
    }

    func removeBus(named name: String) { state.withLock { $0.buses.removeAll { $0.name == name } } }
    func hasBus(named name: String) -> Bool { names.contains(name) }
    func isBusLinked(named name: String) -> Bool { state.withLock { $0.linked.contains(name) } }

    /// The buses that there are.
    var names: [String] { state.withLock { $0.buses.map(\.name) } }

    /// Links a bus, or unlinks it.
    func link(_ name: String, _ isLinked: Bool) {
        state.withLock { if isLinked { $0.linked.insert(name) } else { $0.linked.remove(name) } }
    }

    /// Refuses each bus from now on; nil: adds them again.
    func refuse(_ error: DriverBusError?) { state.withLock { $0.refusal = error } }

    /// Loses all buses, as after a start at which they could not be made.
    func lose() { state.withLock { $0.buses = [] } }
}
