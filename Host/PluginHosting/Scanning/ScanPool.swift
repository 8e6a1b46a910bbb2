// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Scans many locations, several at once. Control thread and scan threads.

import Confinement
import Dispatch
import LinuxSystem
import Synchronization

/// The locations of one scan that bridges are asked about.
final class ScanPool: Sendable {
    private struct State {
        var next = 0
        var outcomes: [Int: ScanOutcome] = [:]
        /// The processes that run at present.
        var running: [Int: ChildProcess] = [:]
        /// The faults for which processes were ended.
        var exhaustions: [Int: PluginFault] = [:]
        var isStopped = false
        /// The encoded bytes of all kept outcomes.
        var byteCount = 0
    }

    /// The most encoded bytes of one location.
    ///
    /// The largest bundle in Debian, LSP with 134 plug-ins, has 39 kB.
    static let maximumLocationByteCount = 2 << 20

    private let locations: [ScanLocation]
    private let scanner: LocationScanner
    private let maximumByteCount: Int
    private let state = Mutex(State())
    private let finished = DispatchSemaphore(value: 0)

    /// Makes a pool that keeps at most `maximumByteCount` encoded bytes of outcomes.
    init(_ locations: [ScanLocation], scanner: LocationScanner, maximumByteCount: Int = ScanCache.maximumByteCount / 2) {
        self.locations = locations
        self.scanner = scanner
        self.maximumByteCount = maximumByteCount
    }

    /// The outcomes so far, by the location's index.
    ///
    /// It lacks locations about which no bridge was asked.
    var outcomes: [Int: ScanOutcome] { state.withLock { $0.outcomes } }

    /// Scans all locations, with up to `processCount` processes at once.
    ///
    /// `progress` is called on this thread from time to time. If it throws, the processes are ended.
    func run(processCount: Int, progress: (ScanProgress) throws -> Void) throws {
        let threads = (0..<min(processCount, locations.count)).compactMap { index in
            try? Thread(name: "scan \(index)") { self.work() }
        }
        defer { threads.forEach { $0.join() } }
        if threads.isEmpty { work() }
        do {
            var nextLook = MonotonicClock.now() + Self.lookNanoseconds
            while true {
                let (done, isOver) = state.withLock { ($0.outcomes.count, $0.outcomes.count == locations.count) }
                try progress(ScanProgress(doneCount: done, totalCount: locations.count))
                if isOver { return }
                if MonotonicClock.now() >= nextLook {
                    endExhausted()
                    nextLook = MonotonicClock.now() + Self.lookNanoseconds
                }
                _ = finished.wait(timeout: .now() + .milliseconds(100))
            }
        } catch {
            stop()
            throw error
        }
    }

    /// The nanoseconds between checks of the processes' resources.
    private static let lookNanoseconds: UInt64 = 500_000_000
    private static let threadLimit = Confinement(.standard, paths: [])?.limits.threadCount

    /// Ends the processes that have used up their resources, as a supervisor ends those of units.
    private func endExhausted() {
        for (index, child) in state.withLock({ $0.running }) {
            guard let fault = ResourceUse.exhaustion(of: child.identifier, threadLimit: Self.threadLimit), child.poll() == nil
            else { continue }
            // Before the end, for which the scanning thread is waiting.
            state.withLock { $0.exhaustions[index] = fault }
            _ = child.kill()
        }
    }

    private func stop() {
        let running = state.withLock { state in
            state.isStopped = true
            return state.running.values.map { $0 }
        }
        for child in running { _ = child.kill() }
    }

    private func work() {
        while let index = takeNext() {
            let outcome = scanner.outcome(of: locations[index]) { child in
                let isStopped = state.withLock { state in
                    state.running[index] = child
                    return state.isStopped
                }
                if isStopped { _ = child.kill() }
            }
            finish(index, outcome)
            finished.signal()
        }
    }

    private func takeNext() -> Int? {
        state.withLock { state in
            guard !state.isStopped, state.next < locations.count else { return nil }
            state.next += 1
            return state.next - 1
        }
    }

    /// Keeps an outcome.
    ///
    /// If a process was ended because the scan stopped, its outcome does not count.
    private func finish(_ index: Int, _ outcome: ScanOutcome) {
        var outcome = outcome
        var byteCount = ScanCache.byteCount(of: outcome)
        if byteCount > Self.maximumLocationByteCount {
            outcome = .failure("its plug-ins say more than \(Self.maximumLocationByteCount) bytes of themselves")
            byteCount = ScanCache.byteCount(of: outcome)
        }
        state.withLock { state in
            state.running[index] = nil
            guard !state.isStopped else { return }
            if let fault = state.exhaustions[index] {
                outcome = .failure(LocationScanner.reason(fault))
                byteCount = ScanCache.byteCount(of: outcome)
            }
            // This location is not to blame if others have used up the room.
            let hasRoom = state.byteCount + byteCount <= maximumByteCount
            if hasRoom { state.byteCount += byteCount }
            state.outcomes[index] = hasRoom ? outcome : .unasked("there is no room for more plug-ins")
        }
    }
}
