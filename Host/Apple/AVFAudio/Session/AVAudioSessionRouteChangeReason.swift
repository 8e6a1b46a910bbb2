// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Why a route has changed. Any thread.

extension AVAudioSession {
    /// Why a route has changed.
    public enum RouteChangeReason: UInt, Sendable {
        /// For no known reason.
        case unknown = 0
        /// A device has come.
        case newDeviceAvailable = 1
        /// A device has gone.
        case oldDeviceUnavailable = 2
        /// The category has changed; never here, where a category changes no route.
        case categoryChange = 3
        /// The user has chosen another device among those that there are.
        case override = 4
        /// The machine is awake again; never here.
        case wakeFromSleep = 6
        /// There is no device any more.
        case noSuitableRouteForCategory = 7
        /// A device works in another way, such as by another jack.
        case routeConfigurationChange = 8
    }
}
