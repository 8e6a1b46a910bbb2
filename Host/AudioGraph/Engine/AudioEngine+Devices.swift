// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tells the program when the devices of a driver that runs on come and go. The engine's thread.

import LinuxSystem
import Rendering

extension AudioEngineConfigurationChange {
    /// Whether the engine's driver or rate is concerned, of which Apple's notification tells as well.
    var isOfFormat: Bool {
        switch self {
        case .driverLost, .driverReturned, .rateChanged: true
        case .deviceLost, .deviceReturned, .deviceChanged, .unitLeftOut, .unitReturned, .followUpFailed: false
        }
    }
}

/// The devices as the program knows them, and as they have been found since.
///
/// A default device that goes is replaced a moment later. So devices count once they have stayed the same for a while.
struct DeviceWatch {
    /// Nanoseconds for which they have to stay the same.
    private static let patience: UInt64 = 250_000_000

    private var told: DriverDevices?
    private var found = DriverDevices()
    private var since: UInt64 = 0
    /// The devices that there were last.
    private var sinkName = ""
    private var sourceName = ""

    /// Whether the devices have changed and are not told yet.
    var isSettling: Bool { told.map { $0 != found } ?? false }

    /// Takes what there is at a time in nanoseconds; returns what the program has to be told.
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
    /// Tells of devices that have come or gone; returns whether they are changing.
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
