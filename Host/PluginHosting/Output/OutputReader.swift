// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads the output of all plug-ins, and passes it on as lines. A thread of its own, from the first process on.

import CLinuxShims
import Confinement
import Glibc
import LinuxSystem
import Synchronization

/// Reads the output of all plug-ins' processes.
///
/// It always reads, even if the lines are dropped: a plug-in must not wait for a reader.
package final class OutputReader: Sendable {
    /// The reader of this process.
    package static let shared = OutputReader()

    private struct Source {
        let socket: OutputSocket
        var lines: OutputLines
    }

    private struct State {
        var sources: [Int32: Source] = [:]
        var thread: pid_t?
        /// The number of calls of `settle` so far.
        var settleCount: UInt32 = 0
    }

    /// The most bytes of one process in a row, and the nanoseconds of its pause if it prints too much.
    ///
    /// So endless output costs the host little processor time.
    private static let (mostBytes, pause): (Int, UInt64) = (256 << 10, 4_000_000)
    /// The most processes in one round of reading.
    private static let mostReady = 64
    /// The most reads from each process while a thread waits in `settle`.
    private static let settlingRounds = 4

    private let state = Mutex(State())
    /// The epoll descriptor.
    private let watch = CLinuxShims_inputWatch()
    private let wakeUp = try? EventDescriptor()
    // SAFETY: a futex word: the output thread writes it, others read it and sleep on it; it lives as long as this process.
    nonisolated(unsafe) private let settled = UnsafeMutablePointer<Atomic<UInt32>>.allocate(capacity: 1)

    private init() {
        settled.initialize(to: Atomic(0))
        if let wakeUp { _ = CLinuxShims_watchInput(watch, wakeUp.descriptor) }
    }

    /// Reads the output of a process from now on, under this plug-in's name.
    package func follow(_ child: ChildProcess, as plugin: String) {
        guard let socket = child.output, watch >= 0 else { return }
        state.withLock { state in
            state.sources[socket.descriptor] = Source(socket: socket, lines: OutputLines(of: plugin, now: MonotonicClock.now()))
            // If the kernel has no memory for this, the plug-in plays on until its socket is full.
            _ = CLinuxShims_watchInput(watch, socket.descriptor)
            if state.thread == nil, let thread = try? Thread(name: "plug-in output", { self.run() }) {
                state.thread = thread.identifier
                thread.detach()
            }
        }
    }

    /// Waits until all output so far has been passed on, and at most `milliseconds`.
    ///
    /// Call it before a message about a plug-in's death, so that the plug-in's last lines come first. It returns at once on the
    /// thread that passes the lines on.
    package func settle(milliseconds: UInt64 = 200) {
        let ticket: UInt32? = state.withLock { state in
            guard let thread = state.thread, thread != Scheduling.currentThread else { return nil }
            state.settleCount &+= 1
            return state.settleCount
        }
        guard let ticket, let wakeUp else { return }
        wakeUp.ring()
        let deadline = MonotonicClock.now() + milliseconds * 1_000_000
        let word = UnsafeMutableRawPointer(settled).assumingMemoryBound(to: UInt32.self)
        while true {
            let now = settled.pointee.load(ordering: .acquiring)
            if Int32(bitPattern: now &- ticket) >= 0 || MonotonicClock.now() >= deadline { return }
            _ = Futex.wait(word, while: now, until: deadline)
        }
    }

    private func run() {
        // A signal is for the threads that expect it. A closed standard error is an error, not a signal.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, nil)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.mostBytes, alignment: 16)
        var ready = [Int32](repeating: -1, count: Self.mostReady)
        while true {
            let count = CLinuxShims_awaitInput(watch, &ready, Int32(ready.count), milliseconds)
            let isWoken = count > 0 && ready[..<Int(count)].contains { $0 == wakeUp?.descriptor }
            if isWoken { settleNow(buffer) } else { _ = readAll(Array(ready.prefix(Int(max(0, count)))), buffer) }
            handOn(state.withLock { Self.takeDue(&$0) })
        }
    }

    /// Milliseconds until a line is due without further bytes; -1 without one.
    private var milliseconds: Int32 {
        guard let due = state.withLock({ $0.sources.values.compactMap(\.lines.due).min() }) else { return -1 }
        let now = MonotonicClock.now()
        return Int32(clamping: (max(due, now) - now + 999_999) / 1_000_000)
    }

    private func settleNow(_ buffer: UnsafeMutableRawBufferPointer) {
        wakeUp?.quieten()
        let (count, all) = state.withLock { ($0.settleCount, Array($0.sources.keys)) }
        var sources = all
        // A socket holds less than this; output that comes meanwhile can wait.
        for _ in 0..<Self.settlingRounds where !sources.isEmpty { sources = readAll(sources, buffer) }
        settled.pointee.store(count, ordering: .releasing)
        Futex.wake(UnsafeMutableRawPointer(settled).assumingMemoryBound(to: UInt32.self))
    }

    /// Reads once from each source, and returns the sources that had bytes.
    private func readAll(_ numbers: [Int32], _ buffer: UnsafeMutableRawBufferPointer) -> [Int32] {
        var isTooMuch = false
        var busy: [Int32] = []
        for number in numbers {
            guard let socket = state.withLock({ $0.sources[number]?.socket }) else { continue }
            switch socket.read(into: buffer) {
            case .nothingYet: continue
            case .bytes(let count):
                busy.append(number)
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                let lines = state.withLock { $0.sources[number]?.lines.take(bytes, now: MonotonicClock.now()) }
                handOn(lines ?? [])
                isTooMuch = isTooMuch || state.withLock { $0.sources[number]?.lines.isTooMuch } == true
            case .end:
                CLinuxShims_forgetInput(watch, number)
                let source = state.withLock { $0.sources.removeValue(forKey: number) }
                var lines = source?.lines
                handOn(lines?.takeDue(now: MonotonicClock.now(), isOver: true) ?? [])
            }
        }
        if isTooMuch { Descriptor.awaitAny([wakeUp?.descriptor ?? -1], nanoseconds: Self.pause) }
        return busy
    }

    private static func takeDue(_ state: inout State) -> [PluginOutput] {
        let now = MonotonicClock.now()
        let due = state.sources.filter { ($0.value.lines.due ?? .max) <= now }.keys
        return due.flatMap { state.sources[$0]?.lines.takeDue(now: now) ?? [] }
    }

    /// Gives lines to the program, or writes them to standard error.
    private func handOn(_ outputs: [PluginOutput]) {
        guard !outputs.isEmpty else { return }
        let show = HostConfiguration.current.pluginOutput
        outputs.forEach(show)
    }
}
