// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The kernel's counts of threads and processors, against threads that do a known number of things. Test threads.

import Glibc
import LinuxSystem
import Synchronization
import Testing

@Suite struct CounterTests {
    /// The counts of a thread of its own while it runs `body`.
    private func counts(_ body: @escaping @Sendable () -> Void) throws -> ThreadCounts {
        let result = Mutex<ThreadCounts?>(nil)
        let thread = try LinuxSystem.Thread(name: "counted") {
            guard let counter = try? ThreadCounter(thread: Scheduling.currentThread, of: getpid()) else { return }
            // The first reading may bring in the pages of the second.
            _ = counter.counts
            guard let before = counter.counts else { return }
            body()
            guard let after = counter.counts else { return }
            result.withLock { $0 = after - before }
        }
        thread.join()
        return try #require(result.withLock { $0 })
    }

    @Test func pagesThatAreTouchedForTheFirstTimeAreCounted() throws {
        let pageCount = 100
        let counts = try counts {
            let byteCount = pageCount * 4096
            guard let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                memory != MAP_FAILED
            else { return }
            madvise(memory, byteCount, MADV_NOHUGEPAGE)
            for page in 0..<pageCount { memory.storeBytes(of: 1, toByteOffset: page * 4096, as: UInt8.self) }
            munmap(memory, byteCount)
        }
        #expect(counts.minorFaults >= pageCount && counts.minorFaults < pageCount + 50)
    }

    @Test func sleepsAreCounted() throws {
        let counts = try counts { for _ in 0..<20 { Futex.pause(microseconds: 100) } }
        #expect(counts.voluntarySwitches >= 20)
    }

    @Test func whoDoesNothingIsCountedForNothing() throws {
        let counts = try counts {}
        #expect(counts.voluntarySwitches == 0 && counts.minorFaults < 5 && counts.majorFaults == 0)
    }

    @Test func aThreadThatIsGoneIsAnError() {
        #expect(throws: SystemError.self) { _ = try ThreadCounter(thread: 0x3FFF_FFFF, of: getpid()) }
        #expect(throws: SystemError.self) { _ = try SystemCallCounter(thread: 0x3FFF_FFFF, tracepoint: 1) }
    }

    @Test func whatIsStolenIsAShareOfTheProcessorsThatAreMeant() {
        let before = StolenTime(
            of: [1], text: "cpu  9 9 9 9 9 9 9 9 9 9\ncpu0 1 1 1 1 1 1 1 90 0 0\ncpu1 10 0 10 10 0 0 0 5 0 0\nintr 5\n")
        let after = StolenTime(of: [1], text: "cpu0 1 1 1 1 1 1 1 900 0 0\ncpu1 40 0 30 30 0 0 0 25 7 0\n")
        #expect(before.all == 35 && before.stolen == 5)
        #expect(after.share(since: before) == 20.0 / 90 && before.share(since: before) == 0)
    }

    @Test func theKernelSaysHowMuchTimeThereWas() { #expect(StolenTime(of: Scheduling.ownProcessors).all > 0) }
}
