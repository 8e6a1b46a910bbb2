// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A file that appears under its name only when it is complete. Control thread.

import Glibc
import LinuxSystem

/// A file without a name, in the folder of the file that it will replace.
///
/// However the process ends, even if it is killed, the kernel frees a nameless file (`O_TMPFILE`). If the file system does not
/// support them, the file gets a hidden name, which `discard()` or `deinit` removes. `-` means standard output, which gets the
/// contents at the end.
public final class ReplacementFile {
    /// The path, as the caller gave it.
    public let path: String
    /// The descriptor, open for reading and writing as long as this object lives.
    public private(set) var descriptor: CInt = -1

    private let target: String
    /// The pipe that finally gets the contents; -1 for a file.
    private var pipe: CInt = -1
    private var temporaryPath: String?
    private var isCommitted = false
    /// Whether the file has its name already.
    private var isPublished = false
    /// `O_TMPFILE`, which Glibc's module leaves out because it is a compound macro.
    private static let nameless = 0o20_000_000 | O_DIRECTORY

    /// `[control]` Opens a new file beside `path`, or beside its target if it is a link.
    ///
    /// `avoidsNameless` chooses the hidden name even if the file system has nameless files.
    ///
    /// Throws `AudioFileError.isDirectory`, `notRegular`, `noPermission`, `folderMissing`, `diskFull` or `system`.
    public init(path: String, avoidsNameless: Bool = false) throws(AudioFileError) {
        self.path = path
        if let pipe = try Self.openPipe(path) {
            (self.pipe, target) = (pipe, path)
            descriptor = try SpoolFile.make(for: path, .write)
            return
        }
        target = try Self.target(of: path)
        let folder = Path.folder(of: target)
        var former = stat()
        let replaces = stat(target, &former) == 0
        // Only the owner can open the new file until it has the old permissions.
        let mode: mode_t = replaces ? 0o600 : 0o666
        if !avoidsNameless { descriptor = open(folder, Self.nameless | O_RDWR | O_CLOEXEC, mode) }
        if descriptor < 0 { try openNamed(mode: mode) }
        if replaces { try keepPermissions(of: former) }
    }

    /// Gives the new file the permissions of the replaced one, so that it gets no new readers.
    private func keepPermissions(of former: stat) throws(AudioFileError) {
        var mode = former.st_mode & 0o777
        // Without the old file's group, the permissions would apply to another group.
        if fchown(descriptor, uid_t.max, former.st_gid) != 0 { mode &= ~0o070 }
        if fchmod(descriptor, mode) != 0 {
            let code = errno
            discard()
            throw .opening(path, act: .write, code: code)
        }
    }

    deinit {
        discard()
        if descriptor >= 0 { close(descriptor) }
        if pipe >= 0 { close(pipe) }
    }

    /// `[control]` Makes the kernel write the contents so far to the disk while more are produced.
    func beginSettling() { Disk.beginWriting(descriptor: descriptor) }

    /// `[control]` Makes the contents durable, and then gives them the final name in one step.
    ///
    /// Throws `AudioFileError.diskFull`, `noPermission`, `alreadyFinished` or `system`.
    public func commit() throws(AudioFileError) {
        guard !isCommitted else { throw .alreadyFinished(path: path) }
        if pipe >= 0 {
            isCommitted = true
            lseek(descriptor, 0, SEEK_SET)
            return try SpoolFile.copy(from: descriptor, to: pipe, path, .write)
        }
        if fsync(descriptor) != 0 { throw failure(errno) }
        if !isPublished { try takeName() }
        isCommitted = true
        syncFolder()
    }

    /// `[control]` Gives the file its final name before it is complete; its contents then stay, even after a failure.
    ///
    /// A pipe gets its contents only at the end. Throws as `commit` does.
    func publish() throws(AudioFileError) {
        guard pipe < 0, !isPublished, !isCommitted else { return }
        try takeName()
        isPublished = true
    }

    /// `[control]` Truncates the contents to a length.
    func cut(toByteCount count: Int64) { _ = ftruncate(descriptor, off_t(count)) }

    private func takeName() throws(AudioFileError) {
        try nameIfNameless()
        guard let temporaryPath else { throw .alreadyFinished(path: path) }
        if rename(temporaryPath, target) != 0 { throw failure(errno) }
        self.temporaryPath = nil
    }

    /// `[control]` Removes the temporary name, if there is one.
    public func discard() {
        if let temporaryPath { unlink(temporaryPath) }
        temporaryPath = nil
    }

    private func openNamed(mode: mode_t) throws(AudioFileError) {
        let name = Self.hiddenName(beside: target)
        descriptor = open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .opening(path, act: .write, code: errno) }
        temporaryPath = name
    }

    /// Links a nameless file to a hidden name, because `rename` replaces a file and `linkat` does not.
    private func nameIfNameless() throws(AudioFileError) {
        guard temporaryPath == nil else { return }
        let name = Self.hiddenName(beside: target)
        let source = "/proc/self/fd/\(descriptor)"
        if linkat(AT_FDCWD, source, AT_FDCWD, name, AT_SYMLINK_FOLLOW) != 0 { throw failure(errno) }
        temporaryPath = name
    }

    /// Without this the new name might not survive a power failure, though the contents would.
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
