// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A driver without a sound card: a timer paces it, and the audio is dropped. Its own real-time thread.

import AudioFormats
import Glibc
import LinuxSystem
import RTKit
import Realtime
import Synchronization

/// Requests a quantum of audio each time its duration has passed, and drops the audio.
public final class NullDriver: AudioDriver {
    private struct Counts: ~Copyable {
        let cycles = Atomic<UInt64>(0)
        let xruns = Atomic<UInt64>(0)
        let mustStop = Atomic<Bool>(false)
        let thread = Atomic<Int32>(0)
    }

    private let channelCount: Int
    /// The channels that a cycle fills.
    public var outputChannelCount: Int { channelCount }
    private let quantum: Int
    private let sampleRate: Double
    private let priority: Int32
    private let counts = Counts()
    private let thread = Mutex<LinuxSystem.Thread?>(nil)

    /// Makes a driver at this rate, in frames a second, with `quantum` frames a cycle.
    ///
    /// `priority` is the desired real-time rank. The thread gets the rank that the system grants, perhaps later, or stays
    /// ordinary.
    public init(channelCount: Int, quantum: Int, sampleRate: Double, priority: Int32 = 80) {
        self.channelCount = channelCount
        self.quantum = quantum
        self.sampleRate = sampleRate
        self.priority = priority
    }

    /// Starts the thread, and returns once it runs.
    public func start(_ callback: RenderCallback) throws {
        counts.mustStop.store(false, ordering: .releasing)
        counts.thread.store(0, ordering: .releasing)
        let started = try LinuxSystem.Thread(name: "null driver") { [self] in run(callback) }
        while counts.thread.load(ordering: .acquiring) == 0 { Futex.pause(microseconds: 100) }
        thread.withLock { $0 = started }
    }

    /// Stops the thread, and returns once it has ended.
    public func stop() {
        counts.mustStop.store(true, ordering: .releasing)
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }

    /// The present status; the xruns are the periods that passed without a cycle.
    public var status: DriverStatus {
        DriverStatus(
            sampleRate: sampleRate, quantum: quantum, cycles: counts.cycles.load(ordering: .relaxed),
            xruns: counts.xruns.load(ordering: .relaxed))
    }

    /// Always nil: the driver never fails.
    public var failure: String? { nil }

    /// Does nothing: the driver never fails.
    public func tellOfFailure(event: Int32) {}

    /// The kernel's id of the render thread; nil until it runs.
    public var renderThreadIdentifier: Int32? {
        let thread = counts.thread.load(ordering: .acquiring)
        return thread == 0 ? nil : thread
    }

    private func run(_ callback: RenderCallback) {
        let ownThread = Scheduling.currentThread
        let wish = RankWish.give(SchedulingClass(realtimePriority: priority), toThread: ownThread, ofProcess: getpid())
        defer { wish?.withdraw() }
        counts.thread.store(ownThread, ordering: .releasing)
        let output = AudioBuffer(channelCount: channelCount, frameCapacity: quantum)
        let silence = AudioBuffer(channelCount: 0, frameCapacity: quantum)
        let period = UInt64(max(1, Int(nearestFrame: Double(quantum) / sampleRate * 1e9)))
        var due = MonotonicClock.now()
        var sampleTime: Int64 = 0
        while !counts.mustStop.load(ordering: .acquiring) {
            let cycle = RenderCycle(
                sampleTime: sampleTime, hostTime: due, sampleRate: sampleRate, transport: Transport(), isOffline: false,
                inputs: silence.block(frameCount: quantum), outputs: output.block(frameCount: quantum))
            withUnsafePointer(to: cycle) { callback.function(callback.context, $0) }
            counts.cycles.wrappingAdd(1, ordering: .relaxed)
            sampleTime += Int64(quantum)
            due = nextDue(after: due, period: period)
        }
    }

    /// Sleeps until the next cycle is due.
    ///
    /// Periods that have passed entirely are counted as xruns and skipped. A sound card begins no cycles in between either, and
    /// the kernel ends a real-time thread that never sleeps.
    private func nextDue(after due: UInt64, period: UInt64) -> UInt64 {
        var next = due + period
        let now = MonotonicClock.now()
        if now >= next + period {
            let missed = (now - next) / period + 1
            counts.xruns.wrappingAdd(missed, ordering: .relaxed)
            next += missed * period
        }
        if now < next { MonotonicClock.sleep(until: next) }
        return next
    }
}
