// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A file that appears under its name only when it is complete. Control thread.

import Glibc
import LinuxSystem

/// A file without a name, in the folder of the one it will replace.
///
/// The kernel frees a nameless file (`O_TMPFILE`) however the process ends, killed included. Where the file
/// system has none, a hidden name stands in, and `discard()` or `deinit` removes it.
public final class ReplacementFile {
    /// The path as the caller gave it.
    public let path: String
    /// Open for reading and writing until this object goes.
    public private(set) var descriptor: CInt = -1

    private let target: String
    private var temporaryPath: String?
    /// `O_TMPFILE`, which Glibc's module leaves out because it is a compound macro.
    private static let nameless = 0o20_000_000 | O_DIRECTORY

    /// `[control]` Opens a new file beside `path`, following `path` when it is a link.
    ///
    /// - Parameter avoidsNameless: takes the way of file systems without nameless files.
    /// - Throws: `.isDirectory`, `.notRegular`, `.noPermission`, `.folderMissing`, `.diskFull` or `.system`.
    public init(path: String, avoidsNameless: Bool = false) throws(AudioFileError) {
        self.path = path
        target = try Self.target(of: path)
        let folder = Path.folder(of: target)
        if !avoidsNameless { descriptor = open(folder, Self.nameless | O_RDWR | O_CLOEXEC, 0o666) }
        if descriptor < 0 { try openNamed(in: folder) }
    }

    deinit {
        discard()
        if descriptor >= 0 { close(descriptor) }
    }

    /// `[control]` Has the contents so far written to the disk from now on, while more are made.
    func beginSettling() { Disk.beginWriting(descriptor: descriptor) }

    /// `[control]` Makes the contents durable, then gives them the final name in one step.
    public func commit() throws(AudioFileError) {
        if fsync(descriptor) != 0 { throw failure(errno) }
        try nameIfNameless()
        guard let temporaryPath else { throw .alreadyFinished(path: path) }
        if rename(temporaryPath, target) != 0 { throw failure(errno) }
        self.temporaryPath = nil
        syncFolder()
    }

    /// `[control]` Removes the temporary name, if there is one.
    public func discard() {
        if let temporaryPath { unlink(temporaryPath) }
        temporaryPath = nil
    }

    private func openNamed(in folder: String) throws(AudioFileError) {
        let name = Self.hiddenName(beside: target)
        descriptor = open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .opening(path, act: .write, code: errno) }
        temporaryPath = name
    }

    /// `rename` replaces, `linkat` doesn't: a nameless file passes through a hidden name.
    private func nameIfNameless() throws(AudioFileError) {
        guard temporaryPath == nil else { return }
        let name = Self.hiddenName(beside: target)
        let source = "/proc/self/fd/\(descriptor)"
        if linkat(AT_FDCWD, source, AT_FDCWD, name, AT_SYMLINK_FOLLOW) != 0 { throw failure(errno) }
        temporaryPath = name
    }

    /// Without this the name itself might not survive a power cut; the contents would.
    private func syncFolder() {
        let folder = open(Path.folder(of: target), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folder >= 0 {
            fsync(folder)
            close(folder)
        }
    }

    private func failure(_ code: CInt) -> AudioFileError {
        var status = stat()
        let byteCount = fstat(descriptor, &status) == 0 ? UInt64(status.st_size) : 0
        return .writing(path, SoundFileIO.Failure(code: code, byteOffset: byteCount, wantedByteOffset: byteCount))
    }
}
