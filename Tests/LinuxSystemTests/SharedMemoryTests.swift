// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sealed memory: what neither owner nor peer can do to it. Test thread.

import CLinuxShims
import Glibc
import LinuxSystem
import Testing

@Suite struct SharedMemoryTests {
    @Test func itsSizeCanNeitherShrinkNorGrow() throws {
        let memory = try SharedMemory(name: "test", byteCount: 8192)
        #expect(ftruncate(memory.descriptor, 4096) == -1 && errno == EPERM)
        #expect(ftruncate(memory.descriptor, 16384) == -1 && errno == EPERM)
        #expect(ftruncate(memory.descriptor, 8192) == 0)
    }

    @Test func itBeginsAsZerosAndIsSeenThroughEveryMapping() throws {
        let memory = try SharedMemory(name: "test", byteCount: 4096)
        #expect(UnsafeRawBufferPointer(start: memory.base, count: 4096).allSatisfy { $0 == 0 })
        let copy = try Descriptor(owning: dup(memory.descriptor)).duplicate()
        let second = try SharedMemory(mapping: copy, name: "second", isWritable: true)
        memory.base.storeBytes(of: 42, toByteOffset: 100, as: UInt8.self)
        #expect(second.base.load(fromByteOffset: 100, as: UInt8.self) == 42)
        #expect(second.byteCount == 4096 && second.isWritable)
    }

    @Test func aReadOnlyDescriptorCannotBeMappedForWriting() throws {
        let memory = try SharedMemory(name: "test", byteCount: 4096)
        let number = try memory.readOnlyDescriptor().release()
        defer { close(number) }
        #expect(mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0) == MAP_FAILED && errno == EACCES)
        #expect(write(number, "x", 1) == -1)
        let reader = try SharedMemory(mapping: Descriptor(owning: dup(number)), name: "reader", isWritable: false)
        memory.base.storeBytes(of: 7, as: UInt8.self)
        #expect(reader.base.load(as: UInt8.self) == 7)
        #expect(throws: SystemError.self) {
            _ = try SharedMemory(mapping: Descriptor(owning: dup(number)), name: "writer", isWritable: true)
        }
    }

    @Test func memoryWithoutSealsIsNotMapped() throws {
        for seals in [0, 2, 4, 2 | 4] as [Int32] {
            let number = CLinuxShims_memfdCreate("unsealed")
            try #require(ftruncate(number, 4096) == 0)
            if seals != 0 { try #require(fcntl(number, 1033, seals) == 0) }
            #expect(throws: SystemError.self) {
                _ = try SharedMemory(mapping: Descriptor(owning: number), name: "peer's", isWritable: false)
            }
        }
    }

    @Test func filesThatAreNoMemfdsAreNotMapped() {
        for path in ["/dev/null", "/dev/zero", "/proc/self/exe"] {
            #expect(throws: SystemError.self) {
                _ = try SharedMemory(mapping: Descriptor(owning: open(path, O_RDONLY)), name: path, isWritable: false)
            }
        }
    }

    @Test func sealedContentsCannotBeChangedByAnybody() throws {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let number = try SharedMemory.sealed(name: "contents", contents: bytes).release()
        defer { close(number) }
        #expect(pwrite(number, "x", 1, 0) == -1 && errno == EPERM)
        #expect(mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0) == MAP_FAILED)
        #expect(ftruncate(number, 10) == -1)
        let memory = try SharedMemory(mapping: Descriptor(owning: dup(number)), name: "contents", isWritable: false)
        #expect(memory.isContentSealed)
        #expect(Array(UnsafeRawBufferPointer(start: memory.base, count: memory.byteCount)) == bytes)
    }

    @Test func itGivesItsDescriptorBack() throws {
        let before = (0..<1024).count { fcntl(Int32($0), F_GETFD) >= 0 }
        for _ in 0..<20 {
            let memory = try SharedMemory(name: "test", byteCount: 4096)
            _ = try memory.readOnlyDescriptor()
        }
        #expect((0..<1024).count { fcntl(Int32($0), F_GETFD) >= 0 } == before)
    }

    @Test func aLongNameIsNoObstacle() throws {
        _ = try SharedMemory(name: String(repeating: "x", count: 1000), byteCount: 4096)
    }
}
