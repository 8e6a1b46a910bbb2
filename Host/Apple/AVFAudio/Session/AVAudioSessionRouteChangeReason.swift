// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The reasons for a change of the route. Any thread.

extension AVAudioSession {
    /// The reason for a change of the route.
    public enum RouteChangeReason: UInt, Sendable {
        /// The reason is unknown.
        case unknown = 0
        /// A device has come.
        case newDeviceAvailable = 1
        /// A device has gone.
        case oldDeviceUnavailable = 2
        /// The category has changed; never here, because a category does not change the route.
        case categoryChange = 3
        /// The user has chosen another device.
        case override = 4
        /// The machine has woken up; never here.
        case wakeFromSleep = 6
        /// No device is left.
        case noSuitableRouteForCategory = 7
        /// A device has changed its configuration, for example its jack.
        case routeConfigurationChange = 8
    }
}
