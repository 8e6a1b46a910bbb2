// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The private PipeWire, the ends of the chain in this process, and the filters between them. Main thread.

import BenchmarkSupport
import CPipeWireFilter
import Glibc
import LinuxSystem
import PipeWireIO

/// Everything that is measured, alive from start to `close()`.
final class FilterChain {
    /// Times measured, and cycles that were not over in time.
    struct Times {
        let nanoseconds: [UInt32]
        let missed: Int
    }

    private static let sinkName = "chain-sink"
    private static let settlingCount = 200
    private let options: ChainOptions
    private let session: PrivatePipeWire
    private let page: SharedMemory
    private var client: FilterClient?
    private var filters: [FilterProcess] = []
    /// The ranks of the threads in the longest chain that was measured.
    private(set) var realtimePriorities: [Int32] = []

    init(_ options: ChainOptions) throws {
        self.options = options
        session = try PrivatePipeWire(
            sinkName: Self.sinkName, channels: CPipeWireFilter_channelCount, rate: ChainOptions.sampleRate,
            quantum: options.quantum)
        session.activate()
        page = try SharedMemory(name: "ends", byteCount: CPipeWireFilter_pageSize)
        let client = try FilterClient()
        self.client = client
        try client.check(CPipeWireFilter_addEnds(client.handle, page.base))
    }

    func close() {
        filters = []
        client = nil
        session.close()
    }

    /// Builds a chain of so many filters and times it.
    ///
    /// In process the head of the chain does their work. It throws when the output is wrong.
    func measure(effectCount: Int, isInProcess: Bool) throws -> Times {
        let client = try connected()
        CPipeWireFilter_unlinkAll(client.handle)
        let gains = (0..<effectCount).map(FilterProcess.gain)
        CPipeWireFilter_setGainsInProcess(client.handle, gains, isInProcess ? UInt32(gains.count) : 0)
        if !isInProcess { try startFilters(effectCount) }
        let chain = filters.prefix(isInProcess ? 0 : effectCount)
        try link(try chain.map { try $0.node() }, client)
        try awaitThreads(of: chain)
        realtimePriorities = try ChainPlacement(options, session: session, ends: CPipeWireFilter_dataThread(page.base))
            .place(chain.map(\.dataThread))
        let product = gains.reduce(1, *)
        _ = try time(Self.settlingCount, product)
        let before = chain.map(\.cycleCount)
        let times = try time(options.cycles, product)
        let skipping = zip(before, chain).count { $1.cycleCount < $0 + UInt64(options.cycles) / 2 }
        guard skipping == 0 else { throw ChainError("\(skipping) of \(effectCount) filters did not run in each cycle.") }
        return times
    }

    private func startFilters(_ count: Int) throws {
        while filters.count < count {
            let isSabotaged = options.sabotage == .gain && filters.count == count / 2
            filters.append(
                try FilterProcess(index: filters.count, isSabotaged: isSabotaged, environment: session.environment))
        }
    }

    private func connected() throws(ChainError) -> FilterClient {
        guard let client else { throw ChainError("The chain is closed.") }
        return client
    }

    private func link(_ nodes: [UInt32], _ client: FilterClient) throws(ChainError) {
        let sink = CPipeWireFilter_nodeNamed(client.handle, Self.sinkName)
        guard sink != 0 else { throw ChainError("The private PipeWire has no sink.") }
        let row = [CPipeWireFilter_head(client.handle)] + nodes + [CPipeWireFilter_tail(client.handle), sink]
        let gap = options.sabotage == .link && !nodes.isEmpty ? nodes.count / 2 : -1
        // From the sink to the head: the driver exists from the start.
        for index in row.indices.dropLast().reversed() where index != gap {
            try client.check(CPipeWireFilter_link(client.handle, row[index], row[index + 1]))
        }
    }

    /// Waits until every filter has processed, when its thread has a number.
    ///
    /// A filter behind a gap is never called; then the sound is wrong.
    private func awaitThreads(of chain: ArraySlice<FilterProcess>) throws(ChainError) {
        for _ in 0..<3000 {
            if CPipeWireFilter_dataThread(page.base) != 0, chain.allSatisfy({ $0.dataThread != 0 }) { return }
            Futex.pause(microseconds: 1000)
        }
        throw ChainError("The chain did not run: a filter was not asked for anything within three seconds.")
    }

    private func time(_ count: Int, _ product: Float) throws -> Times {
        let client = try connected()
        let nanoseconds = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
        nanoseconds.initialize(repeating: 0, count: count)
        CPipeWireFilter_measure(client.handle, nanoseconds, UInt32(count), product)
        let deadline = MonotonicClock.now() + UInt64(count * options.periodMicroseconds) * 2000 + 5_000_000_000
        while CPipeWireFilter_progress(client.handle).done < count {
            guard MonotonicClock.now() < deadline else {
                // The memory stays allocated: the tail may still write to it.
                throw ChainError("Only \(CPipeWireFilter_progress(client.handle).done) of \(count) cycles came to their end.")
            }
            Futex.pause(microseconds: 5000)
        }
        defer { nanoseconds.deallocate() }
        let progress = CPipeWireFilter_progress(client.handle)
        // In a late cycle, the sound may be mixed with that of the next.
        let isSound = progress.wrong <= 2 * progress.missed && Int(progress.wrong) < max(1, count / 10)
        guard isSound || count == Self.settlingCount else {
            throw ChainError(
                "The sound did not pass through every filter: \(progress.wrong) of \(count) cycles came out other than they should."
            )
        }
        return Times(nanoseconds: Array(UnsafeBufferPointer(start: nanoseconds, count: count)), missed: Int(progress.missed))
    }
}
