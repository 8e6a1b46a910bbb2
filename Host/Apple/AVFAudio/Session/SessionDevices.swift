// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Follows PipeWire's devices for the session, and notifies the program of changes. Threads of Dispatch's.

import Foundation
import LinuxSystem
import PipeWireIO
import Synchronization

/// PipeWire's devices, and the notifications of their changes.
///
/// It connects when the program first asks for the session, and again each time PipeWire comes back.
final class SessionDevices: Sendable {
    private struct State {
        var devices: PipeWireDevices?
        /// True if the first attempt to connect is over.
        var isSettled = false
    }

    /// The seconds in which changes are gathered: a device comes in several steps, and then the session chooses.
    private static let settlingSeconds = 0.1
    /// The seconds between two attempts to reach the daemon.
    private static let patienceSeconds = 2.0
    private let state = Mutex(State())
    /// Connects and compares; runs one task at a time.
    private let queue = DispatchQueue(label: "AVAudioSession")
    /// Runs observers, which may call any function.
    private let observerQueue = DispatchQueue(label: "AVAudioSession notifications")
    // SAFETY: only tasks on the queue use it.
    nonisolated(unsafe) private var watch = Watch()

    private struct Watch {
        /// The devices that the program already knows.
        var told = PipeWireDeviceList()
        var isComparing = false
        var hasConnected = false
        var source: (any DispatchSourceRead)?
    }

    /// Starts to connect, without waiting.
    func begin() { queue.async { [self] in connect() } }

    /// The present devices; none without a daemon.
    var list: PipeWireDeviceList {
        if !state.withLock({ $0.isSettled }) { queue.sync {} }
        return state.withLock { $0.devices }?.list ?? PipeWireDeviceList()
    }

    private func connect() {
        let devices = try? PipeWireDevices()
        let isFirst = state.withLock { state in
            state.devices = devices
            return !exchange(&state.isSettled, with: true)
        }
        guard let devices else { return queue.asyncAfter(deadline: .now() + Self.patienceSeconds) { [self] in connect() } }
        follow(devices)
        if isFirst { watch.told = devices.list }
        if watch.hasConnected { post(AVAudioSession.mediaServicesWereResetNotification) }
        watch.hasConnected = true
        compare()
    }

    private func follow(_ devices: PipeWireDevices) {
        let event = devices.event
        let source = DispatchSource.makeReadSource(fileDescriptor: event, queue: queue)
        source.setEventHandler { [self] in
            var count: UInt64 = 0
            _ = withUnsafeMutableBytes(of: &count) { SystemCall.read(event, into: $0) }
            compareSoon()
        }
        // The descriptor stays open until the source has released it.
        source.setCancelHandler { withExtendedLifetime(devices) {} }
        source.resume()
        watch.source = source
    }

    private func compareSoon() {
        guard !exchange(&watch.isComparing, with: true) else { return }
        queue.asyncAfter(deadline: .now() + Self.settlingSeconds) { [self] in
            watch.isComparing = false
            compare()
        }
    }

    private func compare() {
        guard let devices = state.withLock({ $0.devices }) else { return }
        let isLost = devices.failure != nil
        let list = isLost ? PipeWireDeviceList() : devices.list
        if isLost { lose() }
        let former = exchange(&watch.told, with: list)
        guard let reason = AVAudioSession.RouteChangeReason(from: former, to: list) else { return }
        post(
            AVAudioSession.routeChangeNotification,
            [
                AVAudioSessionRouteChangeReasonKey: NSNumber(value: reason.rawValue),
                AVAudioSessionRouteChangePreviousRouteKey: AVAudioSessionRouteDescription(former),
            ])
    }

    /// Handles the end of the daemon: there are no devices until it is back.
    private func lose() {
        watch.source?.cancel()
        watch.source = nil
        state.withLock { $0.devices = nil }
        post(AVAudioSession.mediaServicesWereLostNotification)
        queue.asyncAfter(deadline: .now() + Self.patienceSeconds) { [self] in connect() }
    }

    /// Notifies observers, with no lock held.
    private func post(_ name: NSNotification.Name, _ information: [AnyHashable: Any]? = nil) {
        // SAFETY: it is handed over, and not used here again.
        nonisolated(unsafe) let information = information
        observerQueue.async {
            NotificationCenter.default.post(name: name, object: AVAudioSession.sharedInstance(), userInfo: information)
        }
    }
}

extension AVAudioSession.RouteChangeReason {
    /// Finds the reason for a change of devices; nil if no device has come or gone, and the chosen ones are the same.
    init?(from former: PipeWireDeviceList, to list: PipeWireDeviceList) {
        let (before, now) = (Set(former.devices.map(\.name)), Set(list.devices.map(\.name)))
        if now.isEmpty, !before.isEmpty {
            self = .noSuitableRouteForCategory
        } else if !before.isSubset(of: now) {
            self = .oldDeviceUnavailable
        } else if !now.isSubset(of: before) {
            self = .newDeviceAvailable
        } else if former.defaultSink?.name != list.defaultSink?.name || former.defaultSource?.name != list.defaultSource?.name {
            self = .override
        } else if let reason = Self(former.defaultSink, list.defaultSink) ?? Self(former.defaultSource, list.defaultSource) {
            self = reason
        } else {
            return nil
        }
    }

    /// Finds the meaning of a changed jack: headphones were plugged in, or pulled out.
    private init?(_ former: PipeWireDevice?, _ device: PipeWireDevice?) {
        guard let former, let device else { return nil }
        let (before, now) = (AVAudioSession.Port(of: former), AVAudioSession.Port(of: device))
        guard before != now else { return nil }
        switch (before, now) {
        case (_, .headphones), (_, .headsetMic), (_, .lineOut): self = .newDeviceAvailable
        case (.headphones, _), (.headsetMic, _), (.lineOut, _): self = .oldDeviceUnavailable
        default: self = .routeConfigurationChange
        }
    }
}
