// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Pipes as files: a stream that cannot seek is kept in a nameless file. Control thread.

import Glibc

/// A nameless file that holds the contents of a pipe.
enum SpoolFile {
    /// The path that means standard input or standard output.
    static let standardPath = "-"

    /// Makes an empty file in the folder for temporary files.
    static func make(for path: String, _ act: AudioFileError.Act) throws(AudioFileError) -> CInt {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var name = Array("\(folder)/bulkhead-XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        // The pipe's contents are kept in that folder, so the error concerns the folder.
        guard descriptor >= 0 else { throw .opening("\(folder)/bulkhead", act: .write, code: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(name)
        return descriptor
    }

    /// Reads a pipe to its end into a nameless file, and returns that at its beginning.
    ///
    /// A signal ends the wait for the pipe.
    static func take(from pipe: CInt, _ path: String) throws(AudioFileError) -> CInt {
        let spool = try make(for: path, .read)
        do throws(AudioFileError) {
            if path == standardPath { try put(StandardInput.takeHead(), into: spool, path) }
            try copy(from: pipe, to: spool, path, .read)
        } catch {
            close(spool)
            throw error
        }
        return spool
    }

    /// Copies the rest of one descriptor to another, and moves the copy to its beginning.
    static func copy(from source: CInt, to target: CInt, _ path: String, _ act: AudioFileError.Act) throws(AudioFileError) {
        let capacity = 1 << 16
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        defer { bytes.deallocate() }
        while true {
            let got = read(source, bytes, capacity)
            if got < 0, errno == EAGAIN {
                try wait(for: source, POLLIN, path, act)
                continue
            }
            guard got >= 0 else { throw .system(path: path, act: act, code: errno) }
            if got == 0 { break }
            var done = 0
            while done < got {
                let put = write(target, bytes + done, got - done)
                if put < 0, errno == EAGAIN {
                    try wait(for: target, POLLOUT, path, act)
                    continue
                }
                guard put > 0 else {
                    let failure = SoundFileIO.Failure(code: put < 0 ? errno : ENOSPC, byteOffset: 0, wantedByteOffset: UInt64(got))
                    throw .writing(path, failure)
                }
                done += put
            }
        }
        lseek(target, 0, SEEK_SET)
    }

    /// Writes the few bytes that have been read before.
    private static func put(_ head: [UInt8], into spool: CInt, _ path: String) throws(AudioFileError) {
        let count = head.withUnsafeBytes { write(spool, $0.baseAddress, $0.count) }
        if count != head.count {
            let failure = SoundFileIO.Failure(
                code: count < 0 ? errno : ENOSPC, byteOffset: 0, wantedByteOffset: UInt64(head.count))
            throw .writing(path, failure)
        }
    }

    private static func wait(for descriptor: CInt, _ event: Int32, _ path: String, _ act: AudioFileError.Act) throws(AudioFileError)
    {
        var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        guard poll(&request, 1, -1) >= 0 else { throw .system(path: path, act: act, code: errno) }
    }
}
