// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Opens an existing file, and distinguishes the reasons why it cannot be audio. Control thread.

import Glibc

/// The checks before any decoding.
enum InputFile {
    /// Opens a file for reading; it must be an ordinary file and not empty.
    ///
    /// With `takesPipes` it may also be a pipe, or `-` for standard input; the pipe is then read to its end.
    static func open(_ path: String, takesPipes: Bool = false) throws(AudioFileError) -> SoundFileIO {
        if takesPipes, let pipe = try openPipe(path) {
            defer { close(pipe) }
            let io = SoundFileIO(descriptor: try SpoolFile.take(from: pipe, path))
            if io.length == 0 { throw .empty(path: path) }
            return io
        }
        guard !path.utf8.contains(0) else { throw .missing(path: path) }
        // Non-blocking, since opening a pipe without a writer would wait for ever.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .opening(path, act: .read, code: errno) }
        let io = SoundFileIO(descriptor: descriptor)
        try check(io, path)
        return io
    }

    /// Opens standard input, or a pipe, and waits until a process writes into it; nil for other files.
    private static func openPipe(_ path: String) throws(AudioFileError) -> CInt? {
        var status = stat()
        if path == SpoolFile.standardPath {
            let descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
            return descriptor >= 0 ? descriptor : nil
        }
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return nil }
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .opening(path, act: .read, code: errno) }
        return descriptor
    }

    private static func check(_ io: SoundFileIO, _ path: String) throws(AudioFileError) {
        var status = stat()
        guard fstat(io.descriptor, &status) == 0 else { throw .system(path: path, act: .read, code: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .isDirectory(path: path, act: .read)
        default: throw .notRegular(path: path, act: .read)
        }
        if status.st_size == 0 { throw .empty(path: path) }
    }
}
