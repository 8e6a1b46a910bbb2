// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A file descriptor as libsndfile's virtual I/O, which keeps the first failure. Control thread.

import CSndFile
import Glibc
import LinuxSystem

/// Owns a descriptor, and does libsndfile's reads and writes on it.
///
/// libsndfile loses the errors of its writes during closing. This class keeps them.
final class SoundFileIO {
    let descriptor: CInt
    /// The first read or write that failed.
    private(set) var failure: Failure?

    /// An `errno`, the position in the file, and the intended end position of the whole read or write.
    struct Failure {
        let code: CInt
        let byteOffset: UInt64
        let wantedByteOffset: UInt64
    }

    init(descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    func read(_ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
        var done = 0
        while done < count {
            let got = SystemCall.read(descriptor, into: UnsafeMutableRawBufferPointer(start: bytes + done, count: count - done))
            if got < 0 { fail(errno, missing: count - done) }
            if got <= 0 { break }
            done += got
        }
        return done
    }

    func write(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        var done = 0
        while done < count && failure == nil {
            let put = SystemCall.write(UnsafeRawBufferPointer(start: bytes + done, count: count - done), to: descriptor)
            if put <= 0 { fail(put < 0 ? errno : ENOSPC, missing: count - done) }
            done += max(0, put)
        }
        return done
    }

    private func fail(_ code: CInt, missing byteCount: Int) {
        let position = UInt64(max(0, lseek(descriptor, 0, SEEK_CUR)))
        let wanted = position &+ UInt64(max(0, byteCount))
        failure = failure ?? Failure(code: code, byteOffset: position, wantedByteOffset: wanted)
    }

    /// The callbacks for `sf_open_virtual`; their user data is an unretained `SoundFileIO`.
    static var callbacks: SF_VIRTUAL_IO {
        SF_VIRTUAL_IO(
            get_filelen: { SoundFileIO.at($0).length },
            seek: { offset, whence, data in Int64(lseek(SoundFileIO.at(data).descriptor, Int(offset), whence)) },
            read: { bytes, count, data in Int64(SoundFileIO.at(data).read(bytes!, Int(count))) },
            write: { bytes, count, data in Int64(SoundFileIO.at(data).write(bytes!, Int(count))) },
            tell: { Int64(lseek(SoundFileIO.at($0).descriptor, 0, SEEK_CUR)) })
    }

    var length: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    // SAFETY: every caller of sf_open_virtual keeps the object alive until after sf_close.
    private static func at(_ data: UnsafeMutableRawPointer?) -> SoundFileIO {
        Unmanaged<SoundFileIO>.fromOpaque(data!).takeUnretainedValue()
    }
}
