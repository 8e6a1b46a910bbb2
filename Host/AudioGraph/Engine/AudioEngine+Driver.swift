// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Follows the driver: starts it again after a loss, and reports to the program. The engine's thread.

import LinuxSystem
import Rendering
import Synchronization

/// A change of the device that an engine plays to.
public enum AudioEngineConfigurationChange: Hashable, Sendable {
    /// The driver has stopped by itself, for example because PipeWire has gone.
    ///
    /// The engine starts it again as soon as it can. Schedules and positions stay as they are meanwhile. The engine reports again if the
    /// start fails for another reason.
    case driverLost(reason: String)
    /// The driver runs again.
    case driverReturned
    /// The device that the engine plays to or records from is gone, and no other takes its place.
    ///
    /// The driver runs on, and waits for it.
    case deviceLost(name: String, isInput: Bool)
    /// A device is there again after a `deviceLost`, and the engine is linked to it.
    case deviceReturned(name: String, isInput: Bool)
    /// The engine has moved to another device, because the default device has changed.
    case deviceChanged(from: String, to: String, isInput: Bool)
    /// The device has a new rate, in hertz, and so have the engine and all its connections.
    ///
    /// Units keep their processes and settings. Players go on at the frame where they were; their sounds were made for the former rate.
    case rateChanged(from: Double, to: Double)
    /// A unit or a processor refuses the new rate, so its input is passed on in its place.
    ///
    /// The engine tries it again at the next rate. `node` is the node's name.
    case unitLeftOut(node: String, reason: String)
    /// A follow-up of an edit has failed, such as the plan after a fade; the present plan goes on, and the engine tries again.
    ///
    /// The tickets of edits that are not heard yet have the error, too.
    case followUpFailed(reason: String)
    /// A unit or a processor that was left out accepts the new rate, and is heard again.
    case unitReturned(node: String)
}

/// The streams of a program that watches for changes.
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

/// Called for each configuration change of all engines.
private let configurationObserver = Mutex<(@Sendable (AudioEngine) -> Void)?>(nil)

/// The engine thread's knowledge of the driver.
struct DriverWatch {
    var isLost = false
    /// The reason why it was lost or could not be started again, as reported to the program.
    var reason: String?
    /// The time of the next attempt to start it, in CLOCK_MONOTONIC nanoseconds.
    var due: UInt64 = 0
    var devices = DeviceWatch()
    /// The driver's rate that the graph could not follow in the last attempt.
    var failedRate: Double?

    /// Nanoseconds between two attempts.
    static let pause: UInt64 = 500_000_000
}

extension AudioEngine {
    /// The changes of the device from now on; each call makes a new stream, which keeps the newest 64.
    public var configurationChanges: AsyncStream<AudioEngineConfigurationChange> {
        AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let number = state.withLock { $0.watchers.add(continuation) }
            continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.watchers.remove(number) } }
        }
    }

    /// Sets the observer of the configuration changes of all engines, called on the engines' threads.
    package static func observeConfigurations(_ observer: @escaping @Sendable (AudioEngine) -> Void) {
        configurationObserver.withLock { $0 = observer }
    }

    /// Reports a change to the program.
    func tell(_ change: AudioEngineConfigurationChange) {
        let watcher = state.withLock { state in
            state.watchers.tell(change)
            return state.hosting.changeWatcher
        }
        watcher?(change)
        if change.isOfFormat { configurationObserver.withLock { $0 }?(self) }
    }

    /// Looks after the driver; returns true if it is lost, or its devices are changing.
    func followDriver() -> Bool {
        let (driver, playing, watch) = state.withLock { state -> ((any AudioDriver)?, Playing?, DriverWatch) in
            guard case .driver(let driver) = state.mode, state.phase == .running else { return (nil, nil, DriverWatch()) }
            return (driver, state.playing, state.driverWatch)
        }
        guard let driver, let playing else { return false }
        // A driver that could not be started again is still lost, though it has not failed by itself.
        guard let failure = driver.failure ?? (watch.isLost ? watch.reason ?? "it has not been started again yet" : nil) else {
            if lacksInput { startRecording(driver, playing) }
            follow(driver, playing)
            followOutput()
            return followDevices(of: driver)
        }
        if !watch.isLost { lose(failure) }
        startAgain(driver, playing, watch)
        return true
    }

    /// Reports to the program why the driver is lost; once for each reason.
    private func lose(_ reason: String) {
        let isNew = state.withLock { state in
            defer { (state.driverWatch.isLost, state.driverWatch.reason) = (true, reason) }
            return !state.driverWatch.isLost || state.driverWatch.reason != reason
        }
        if isNew { tell(.driverLost(reason: reason)) }
    }

    private func follow(_ driver: any AudioDriver, _ playing: Playing) {
        let (rate, own) = (driver.status.sampleRate, playing.environment.sampleRate)
        guard rate > 0, rate != own else { return }
        let (now, watch) = (MonotonicClock.now(), state.withLock { $0.driverWatch })
        guard watch.failedRate != rate || now >= watch.due else { return }
        editLock.withLockIfFree {
            guard isRunning, depth.load(ordering: .relaxed) == 0, state.withLock({ $0.playing?.player }) === playing.player else {
                return
            }
            do throws(AudioEngineError) {
                guard let changes = try changeRate(to: rate, from: own) else { return }
                for change in changes { tell(change) }
                guard state.withLock({ $0.driverWatch.failedRate }) != nil else { return }
                state.withLock { $0.driverWatch.failedRate = nil }
                tell(.driverReturned)
            } catch {
                // Silence plays. The engine tries again, from the former rate.
                open(playing.player, in: playing.environment)
                let isNew = state.withLock { state in
                    state.driverWatch.due = now + DriverWatch.pause
                    defer { state.driverWatch.failedRate = rate }
                    return state.driverWatch.failedRate != rate
                }
                guard isNew else { return }
                keep(error)
                tell(.driverLost(reason: "\(error)"))
            }
        }
    }

    /// Starts the driver anew, with inputs; the sound has a gap of some milliseconds.
    private func startRecording(_ driver: any AudioDriver, _ playing: Playing) {
        editLock.withLockIfFree {
            guard isRunning, lacksInput, state.withLock({ $0.playing?.player }) === playing.player else { return }
            driver.recordedChannelCount = max(1, driver.outputChannelCount)
            driver.stop()
            do {
                try driver.start(playing.player.callback)
            } catch {
                return lose("\(error)")
            }
            driver.setLatency(frameCount: latencyFrameCount)
        }
    }

    private func startAgain(_ driver: any AudioDriver, _ playing: Playing, _ watch: DriverWatch) {
        let now = MonotonicClock.now()
        guard now >= watch.due else { return }
        state.withLock { $0.driverWatch.due = now + DriverWatch.pause }
        editLock.withLockIfFree {
            // The engine may have been stopped and started meanwhile, with another player.
            guard isRunning, driver.failure != nil || state.withLock({ $0.driverWatch.isLost }),
                let player = state.withLock({ $0.playing?.player }), player === playing.player
            else { return }
            driver.stop()
            do {
                try driver.start(player.callback)
            } catch {
                return lose("\(error)")
            }
            driver.setLatency(frameCount: latencyFrameCount)
            state.withLock { $0.driverWatch.isLost = false }
            tell(.driverReturned)
        }
    }
}
