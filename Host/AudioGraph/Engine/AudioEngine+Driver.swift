// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Follows the driver: when it is lost it is started again, and the program is told. The keeper's thread.

import LinuxSystem
import Rendering

/// What has happened to the device that an engine plays to.
public enum AudioEngineConfigurationChange: Hashable, Sendable {
    /// The driver has stopped by itself, as when PipeWire goes away.
    ///
    /// The engine starts it again as soon as it can. Schedules and positions stay as they are meanwhile.
    case driverLost(reason: String)
    /// The driver runs again.
    case driverReturned
    /// The device has another rate now, in hertz.
    ///
    /// The engine renders at the rate that it was started with, until it is stopped and started again.
    case rateChanged(from: Double, to: Double)
}

/// The streams of a program that wants to know.
struct ConfigurationWatchers {
    private var continuations: [Int: AsyncStream<AudioEngineConfigurationChange>.Continuation] = [:]
    private var next = 0

    mutating func add(_ continuation: AsyncStream<AudioEngineConfigurationChange>.Continuation) -> Int {
        next += 1
        continuations[next] = continuation
        return next
    }

    mutating func remove(_ number: Int) { continuations[number] = nil }

    func tell(_ change: AudioEngineConfigurationChange) { for continuation in continuations.values { continuation.yield(change) } }
}

/// What the keeper knows of the driver.
struct DriverWatch {
    var isLost = false
    /// When the next attempt to start it is due, in CLOCK_MONOTONIC nanoseconds.
    var due: UInt64 = 0
    var toldRate: Double?

    /// Nanoseconds between two attempts.
    static let pause: UInt64 = 500_000_000
}

extension AudioEngine {
    /// What happens to the device from now on; each call makes a stream of its own, which keeps the newest 64.
    public var configurationChanges: AsyncStream<AudioEngineConfigurationChange> {
        AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let number = state.withLock { $0.watchers.add(continuation) }
            continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.watchers.remove(number) } }
        }
    }

    /// Looks after the driver; returns whether it is lost.
    func followDriver() -> Bool {
        let (driver, playing, watch) = state.withLock { state -> ((any AudioDriver)?, Playing?, DriverWatch) in
            guard case .driver(let driver) = state.mode, state.phase == .running else { return (nil, nil, DriverWatch()) }
            return (driver, state.playing, state.driverWatch)
        }
        guard let driver, let playing else { return false }
        guard let failure = driver.failure else {
            tellOfRate(driver.status.sampleRate, playing.environment.sampleRate, watch)
            return false
        }
        if !watch.isLost {
            state.withLock { state in
                state.driverWatch.isLost = true
                state.watchers.tell(.driverLost(reason: failure))
            }
        }
        startAgain(driver, playing, watch)
        return true
    }

    private func tellOfRate(_ rate: Double, _ own: Double, _ watch: DriverWatch) {
        guard rate > 0, rate != watch.toldRate ?? own else { return }
        state.withLock { state in
            state.driverWatch.toldRate = rate
            state.watchers.tell(.rateChanged(from: watch.toldRate ?? own, to: rate))
        }
    }

    private func startAgain(_ driver: any AudioDriver, _ playing: Playing, _ watch: DriverWatch) {
        let now = MonotonicClock.now()
        guard now >= watch.due else { return }
        state.withLock { $0.driverWatch.due = now + DriverWatch.pause }
        editLock.withLockIfFree {
            // It may have been stopped and started meanwhile, with another player.
            guard isRunning, driver.failure != nil, let player = state.withLock({ $0.playing?.player }), player === playing.player
            else { return }
            driver.stop()
            guard (try? driver.start(player.callback)) != nil else { return }
            state.withLock { state in
                state.driverWatch.isLost = false
                state.watchers.tell(.driverReturned)
            }
        }
    }
}
