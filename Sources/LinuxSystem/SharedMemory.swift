// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Memory that can be passed to another process: sealed memfds and their mappings. Control thread.

import CLinuxShims
import Glibc

/// A memfd, mapped into this process.
///
/// Its size is sealed: it can neither shrink under a reader nor grow.
///
/// The mapping lives as long as the object. A render path that uses it must end before.
public final class SharedMemory: @unchecked Sendable {
    // SAFETY: the stored properties never change; the users of the memory order their accesses.
    /// The descriptor of the memfd, which the object owns.
    public let descriptor: Int32
    /// The first byte of the mapping.
    public let base: UnsafeMutableRawPointer
    /// The size of the memory in bytes.
    public let byteCount: Int
    /// True if this mapping can be written.
    public let isWritable: Bool
    /// The kernel's number of the file behind the memory.
    ///
    /// All descriptors of this memory have it, in every process, and no descriptor of other memory has it.
    public let fileNumber: UInt64

    /// Makes `byteCount` bytes of zeros; the kernel shows `name` in /proc.
    ///
    /// Throws `SystemError`.
    public init(name: String, byteCount: Int) throws(SystemError) {
        let number = try SystemError.check(CLinuxShims_memfdCreate(name), "create shared memory for \"\(name)\"")
        let descriptor = Descriptor(owning: number)
        guard ftruncate(number, byteCount) == 0 else {
            throw SystemError("size shared memory for \"\(name)\" (\(byteCount) bytes)")
        }
        try SystemError.check(CLinuxShims_addSeals(number, CLinuxShims_sizeSeals()), "seal shared memory for \"\(name)\"")
        base = try Self.map(number, byteCount, PROT_READ | PROT_WRITE, name)
        self.byteCount = byteCount
        isWritable = true
        var status = stat()
        guard fstat(number, &status) == 0 else { throw SystemError("look at shared memory for \"\(name)\"") }
        fileNumber = UInt64(status.st_ino)
        self.descriptor = descriptor.release()
    }

    /// Maps all memory behind a descriptor from a peer.
    ///
    /// Throws `SystemError`, also if the size is not sealed.
    public init(mapping passed: consuming Descriptor, name: String, isWritable: Bool) throws(SystemError) {
        let number = passed.number
        let seals = try SystemError.check(CLinuxShims_seals(number), "read the seals of \"\(name)\"")
        guard seals & CLinuxShims_sizeSeals() == CLinuxShims_sizeSeals() else {
            throw SystemError("map \"\(name)\", whose size is not sealed", code: EPERM)
        }
        var status = stat()
        guard fstat(number, &status) == 0, status.st_size > 0 else { throw SystemError("measure \"\(name)\"") }
        byteCount = status.st_size
        fileNumber = UInt64(status.st_ino)
        base = try Self.map(number, byteCount, isWritable ? PROT_READ | PROT_WRITE : PROT_READ, name)
        self.isWritable = isWritable
        descriptor = passed.release()
    }

    deinit {
        munmap(base, byteCount)
        close(descriptor)
    }

    /// A descriptor through which the memory can be read but not written; throws `SystemError`.
    ///
    /// Through /proc a receiver could open the file again, even for writing, if the mode of the file allowed that to its owner.
    /// The filter of system calls keeps a confined process from changing the mode.
    public func readOnlyDescriptor() throws(SystemError) -> Descriptor {
        guard fchmod(descriptor, 0o400) == 0 else { throw SystemError("make shared memory readable only") }
        let number = CLinuxShims_reopenReadOnly(descriptor)
        return Descriptor(owning: try SystemError.check(number, "open shared memory for reading only"))
    }

    /// True if the contents are sealed against all writing.
    public var isContentSealed: Bool { CLinuxShims_seals(descriptor) & CLinuxShims_writeSeal() != 0 }

    /// Makes memory with these contents, sealed against all writing; throws `SystemError`.
    public static func sealed(name: String, contents: [UInt8]) throws(SystemError) -> Descriptor {
        let number = try SystemError.check(CLinuxShims_memfdCreate(name), "create shared memory for \"\(name)\"")
        let descriptor = Descriptor(owning: number)
        try Descriptor.write(contents, to: number, "fill \"\(name)\" (\(contents.count) bytes)")
        let seals = CLinuxShims_sizeSeals() | CLinuxShims_writeSeal()
        try SystemError.check(CLinuxShims_addSeals(number, seals), "seal shared memory for \"\(name)\"")
        return descriptor
    }

    private static func map(
        _ descriptor: Int32, _ byteCount: Int, _ protection: Int32, _ name: String
    ) throws(SystemError) -> UnsafeMutableRawPointer {
        // The pages are populated at once, so that rendering causes no page fault.
        let flags = MAP_SHARED | Int32(MAP_POPULATE)
        let base = mmap(nil, byteCount, protection, flags, descriptor, 0)
        guard let base, base != MAP_FAILED else {
            throw SystemError("map shared memory for \"\(name)\" (\(byteCount) bytes)")
        }
        return base
    }
}
