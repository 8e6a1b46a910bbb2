// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reports to the program devices that come and go while their driver runs on. The engine's thread.

import LinuxSystem
import Rendering

extension AudioEngineConfigurationChange {
    /// True for a change of the driver or the rate, which Apple's notification reports, too.
    var isOfFormat: Bool {
        switch self {
        case .driverLost, .driverReturned, .rateChanged: true
        case .deviceLost, .deviceReturned, .deviceChanged, .unitLeftOut, .unitReturned, .followUpFailed: false
        }
    }
}

/// Compares the devices that the program knows with the devices found since.
///
/// The system replaces a default device a moment after it goes. So devices count once they have stayed the same for a while.
struct DeviceWatch {
    /// The time for which they have to stay the same, in nanoseconds.
    private static let patience: UInt64 = 250_000_000

    private var told: DriverDevices?
    private var found = DriverDevices()
    private var since: UInt64 = 0
    /// The names of the last known devices.
    private var sinkName = ""
    private var sourceName = ""

    /// True if the devices have changed and the program does not know yet.
    var isSettling: Bool { told.map { $0 != found } ?? false }

    /// Takes the devices found at a time in nanoseconds; returns the changes to report to the program.
    mutating func take(_ devices: DriverDevices, at now: UInt64) -> [AudioEngineConfigurationChange] {
        if devices != found { (found, since) = (devices, now) }
        guard let told else {
            self.told = devices
            return Self.changes(from: devices.sink, to: devices.sink, &sinkName, isInput: false)
                + Self.changes(from: devices.source, to: devices.source, &sourceName, isInput: true)
        }
        guard isSettling, now - since >= Self.patience else { return [] }
        self.told = devices
        return Self.changes(from: told.sink, to: devices.sink, &sinkName, isInput: false)
            + Self.changes(from: told.source, to: devices.source, &sourceName, isInput: true)
    }

    private static func changes(
        from former: DriverDevice, to device: DriverDevice, _ last: inout String, isInput: Bool
    ) -> [AudioEngineConfigurationChange] {
        let known = last
        if case .linked(let name) = device { last = name }
        guard former != device else { return [] }
        return switch (former, device) {
        case (.linked(let from), .linked(let to)): [.deviceChanged(from: from, to: to, isInput: isInput)]
        case (_, .linked(let name)): [.deviceReturned(name: name, isInput: isInput)]
        case (_, .absent): [.deviceLost(name: known, isInput: isInput)]
        case (_, .notWanted): []
        }
    }
}

extension AudioEngine {
    /// Tells nodes that follow it the kind of device that they are heard by; without a driver it is unknown.
    package func followOutput() {
        let (mode, bodies) = state.withLock { ($0.mode, $0.graph.unorderedNodes.map(\.body).filter(\.followsOutput)) }
        guard !bodies.isEmpty else { return }
        let output: DriverOutputKind? = if case .driver(let driver) = mode { driver.outputKind } else { nil }
        for body in bodies { body.follow(output) }
    }

    /// Reports devices that have come or gone; returns true while they are changing.
    func followDevices(of driver: any AudioDriver) -> Bool {
        let (devices, now) = (driver.devices, MonotonicClock.now())
        let (changes, isSettling) = state.withLock { state in
            let changes = state.driverWatch.devices.take(devices, at: now)
            return (changes, state.driverWatch.devices.isSettling)
        }
        for change in changes { tell(change) }
        return isSettling
    }
}
