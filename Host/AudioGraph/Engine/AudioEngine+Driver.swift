// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Follows the driver: when it is lost it is started again, and the program is told. The engine's thread.

import LinuxSystem
import Rendering
import Synchronization

/// What has happened to the device that an engine plays to.
public enum AudioEngineConfigurationChange: Hashable, Sendable {
    /// The driver has stopped by itself, as when PipeWire goes away.
    ///
    /// The engine starts it again as soon as it can. Schedules and positions stay as they are meanwhile.
    /// It is told again where it cannot be started for another reason.
    case driverLost(reason: String)
    /// The driver runs again.
    case driverReturned
    /// The device that the engine plays to, or records from, is gone, and there is no other to take its place.
    ///
    /// The driver runs on, and waits for it.
    case deviceLost(name: String, isInput: Bool)
    /// A device is there again after a `deviceLost`, and the engine is linked to it.
    case deviceReturned(name: String, isInput: Bool)
    /// The engine has moved from one device to another: the default device is another one now.
    case deviceChanged(from: String, to: String, isInput: Bool)
    /// The device has another rate now, in hertz, and so has the engine with all its connections.
    ///
    /// Units keep their processes and settings. Players go on at the frame where they were; what they play was made for the rate before.
    case rateChanged(from: Double, to: Double)
    /// A unit refuses the new rate, so its input is passed on in its place.
    ///
    /// It is tried again at the next rate. `node` is the node's name.
    case unitLeftOut(node: String, reason: String)
    /// Something that follows from an edit could not be done, such as the plan after a fade: what plays goes on, and it is tried again.
    ///
    /// The tickets of edits that are not heard yet have the error, too.
    case followUpFailed(reason: String)
    /// A unit that had been left out takes the new rate, and is heard again.
    case unitReturned(node: String)
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

/// Who is told of the configuration changes of all engines.
private let configurationObserver = Mutex<(@Sendable (AudioEngine) -> Void)?>(nil)

/// The engine thread's knowledge of the driver.
struct DriverWatch {
    var isLost = false
    /// Why it was lost, or could not be started again, as the program was told.
    var reason: String?
    /// When the next attempt to start it is due, in CLOCK_MONOTONIC nanoseconds.
    var due: UInt64 = 0
    var devices = DeviceWatch()
    /// The driver's rate that the graph could not follow at the last attempt.
    var failedRate: Double?

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

    /// Has `observer` told of the configuration changes of all engines, on the engines' threads.
    package static func observeConfigurations(_ observer: @escaping @Sendable (AudioEngine) -> Void) {
        configurationObserver.withLock { $0 = observer }
    }

    /// Tells the program of a change.
    func tell(_ change: AudioEngineConfigurationChange) {
        let watcher = state.withLock { state in
            state.watchers.tell(change)
            return state.hosting.changeWatcher
        }
        watcher?(change)
        if change.isOfFormat { configurationObserver.withLock { $0 }?(self) }
    }

    /// Looks after the driver; returns whether it is lost, or whether its devices are changing.
    func followDriver() -> Bool {
        let (driver, playing, watch) = state.withLock { state -> ((any AudioDriver)?, Playing?, DriverWatch) in
            guard case .driver(let driver) = state.mode, state.phase == .running else { return (nil, nil, DriverWatch()) }
            return (driver, state.playing, state.driverWatch)
        }
        guard let driver, let playing else { return false }
        // A driver that could not be started again is lost still, though it has not failed by itself.
        guard let failure = driver.failure ?? (watch.isLost ? watch.reason ?? "it has not been started again yet" : nil) else {
            if lacksInput { startRecording(driver, playing) }
            follow(driver, playing)
            return followDevices(of: driver)
        }
        if !watch.isLost { lose(failure) }
        startAgain(driver, playing, watch)
        return true
    }

    /// Tells the program why the driver is lost, or still is; once for each reason.
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
                for change in try changeRate(to: rate, from: own) ?? [] { tell(change) }
                guard state.withLock({ $0.driverWatch.failedRate }) != nil else { return }
                state.withLock { $0.driverWatch.failedRate = nil }
                tell(.driverReturned)
            } catch {
                keep(error)
                // Silence plays. It is tried again, from the rate before.
                open(playing.player, in: playing.environment)
                let isNew = state.withLock { state in
                    state.driverWatch.due = now + DriverWatch.pause
                    defer { state.driverWatch.failedRate = rate }
                    return state.driverWatch.failedRate != rate
                }
                if isNew { tell(.driverLost(reason: "\(error)")) }
            }
        }
    }

    /// Starts the driver anew, with inputs; what plays has a gap of some milliseconds.
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
            // It may have been stopped and started meanwhile, with another player.
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
