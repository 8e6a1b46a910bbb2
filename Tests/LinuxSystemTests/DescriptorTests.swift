// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads, writes and waits that a signal interrupts, and files that are replaced. Test thread.

import Glibc
import Testing

@testable import LinuxSystem

@Suite struct DescriptorTests {
    /// Two ends of a pipe.
    private struct Pipe: ~Copyable {
        let reader, writer: Descriptor

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            reader = Descriptor(owning: ends[0])
            writer = Descriptor(owning: ends[1])
        }
    }

    /// A folder that is removed with what is in it.
    private func withFolder(_ body: (String) throws -> Void) throws {
        var name = Array("/tmp/bulkhead-test-XXXXXX".utf8CString)
        try #require(mkdtemp(&name) != nil)
        let path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer {
            unlink("\(path)/a")
            rmdir(path)
        }
        try body(path)
    }

    @Test func aWaitOutlastsSignals() throws {
        let pipe = try Pipe()
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in }
        sigaction(SIGUSR1, &action, nil)
        let waiter = pthread_self()
        let ringer = try Thread(name: "ringer") {
            for _ in 0..<20 {
                usleep(2000)
                pthread_kill(waiter, SIGUSR1)
            }
        }
        let start = MonotonicClock.now()
        #expect(Descriptor.awaitAny([pipe.reader.number], nanoseconds: 60_000_000) == [])
        #expect(MonotonicClock.now() - start >= 60_000_000)
        ringer.join()
    }

    @Test func aWaitTellsWhatHasHappenedToEach() throws {
        let first = try Pipe()
        let second = try Pipe()
        try Descriptor.write([1], to: second.writer.number, "write")
        let awaited = [AwaitedDescriptor(first.reader.number), AwaitedDescriptor(second.reader.number), AwaitedDescriptor(-1)]
        #expect(Descriptor.wait(for: awaited, nanoseconds: nil) == [[], .input, []])
        #expect(Descriptor.wait(for: [AwaitedDescriptor(first.writer.number, .output)], nanoseconds: nil) == [.output])
    }

    @Test func aWaitThatTheKernelRefusesIsAFailureOfEachDescriptor() throws {
        let pipe = try Pipe()
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur < 4_000_000 else {
            try Test.cancel("a process may open \(limit.rlim_cur) files here, and poll(2) refuses only more")
        }
        let none = [AwaitedDescriptor](repeating: AwaitedDescriptor(-1), count: Int(limit.rlim_cur))
        let events = Descriptor.wait(for: [AwaitedDescriptor(pipe.reader.number)] + none, nanoseconds: 0)
        #expect(events[0] == .failure && events[1] == [])
    }

    @Test func allBytesAreWrittenThoughThePipeTakesFew() throws {
        let pipe = try Pipe()
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let number = pipe.writer.number
        let writer = try Thread(name: "writer") {
            try? Descriptor.write(bytes, to: number, "write")
        }
        var read: [UInt8] = []
        while read.count < bytes.count {
            let wanted = min(70_000, bytes.count - read.count)
            read += try Descriptor.bytes(from: pipe.reader.number, atMost: wanted, "read")
        }
        writer.join()
        #expect(read == bytes)
    }

    @Test func aFailedWriteSaysWhatWasTried() throws {
        let pipe = try Pipe()
        #expect(throws: SystemError("write here", code: EBADF)) {
            try Descriptor.write([1], to: pipe.reader.number, "write here")
        }
    }

    @Test(arguments: [false, true])
    func aFileIsReplacedAsAWhole(avoidsNameless: Bool) throws {
        try withFolder { folder in
            let path = "\(folder)/a"
            for text in ["first", "other"] {
                let file = try FileReplacement(of: path, isPrivate: true, avoidsNameless: avoidsNameless)
                try Descriptor.write(Array(text.utf8), to: file.descriptor, "write")
                let before = KernelFile.bytes(path, atMost: 100)
                #expect(before == (text == "first" ? nil : Array("first".utf8)))
                try file.commit()
                #expect(KernelFile.bytes(path, atMost: 100) == Array(text.utf8))
            }
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        }
    }

    @Test func aReplacementThatIsGivenUpLeavesNothing() throws {
        try withFolder { folder in
            do {
                let file = try FileReplacement(of: "\(folder)/a", isPrivate: false, avoidsNameless: true)
                try Descriptor.write([1], to: file.descriptor, "write")
            }
            #expect(FolderEntries.names(in: folder) == [])
        }
    }

    @Test func bytesAreReadFromAPlaceInAFile() throws {
        try withFolder { folder in
            let file = try FileReplacement(of: "\(folder)/a", isPrivate: false)
            try Descriptor.write(Array(0..<10), to: file.descriptor, "write")
            #expect(Descriptor.bytes(from: file.descriptor, at: 4, byteCount: 3) == [4, 5, 6])
            #expect(Descriptor.bytes(from: file.descriptor, at: 8, byteCount: 3) == nil)
            #expect(Descriptor.bytes(from: file.descriptor, at: 8, atMost: 3) == [8, 9])
            #expect(lseek(file.descriptor, 0, SEEK_CUR) == 10)
        }
    }
}
