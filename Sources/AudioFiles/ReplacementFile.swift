// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An audio file that appears under its name only when it is complete, or that goes into a pipe. Control thread.

import Glibc
import LinuxSystem

/// A file in the folder of the file that it will replace, with that file's permissions.
///
/// `-` means standard output, which gets all contents at the end.
public final class ReplacementFile {
    /// The path from the caller.
    public let path: String
    /// The descriptor, open for reading and writing as long as this object lives.
    public var descriptor: CInt {
        switch place {
        case .file(let replacement): replacement.descriptor
        case .pipe(let pipe): pipe.spool.number
        }
    }

    private enum Place {
        case file(FileReplacement)
        case pipe(Pipe)
    }

    /// Standard output, and the file that is copied into it at the end.
    private final class Pipe {
        let end, spool: Descriptor

        init(_ end: consuming Descriptor, spool: consuming Descriptor) {
            self.end = end
            self.spool = spool
        }
    }

    private let place: Place
    private var isCommitted = false

    /// `[control]` Opens a new file beside `path`, or beside its target if it is a link.
    ///
    /// `avoidsNameless` chooses the hidden name even if the file system has nameless files.
    ///
    /// Throws `AudioFileError.isDirectory`, `notRegular`, `noPermission`, `folderMissing`, `diskFull` or `system`.
    public init(path: String, avoidsNameless: Bool = false) throws(AudioFileError) {
        self.path = path
        if let pipe = try Self.openPipe(path) {
            place = .pipe(Pipe(pipe, spool: Descriptor(owning: try SpoolFile.make(for: path, .write))))
            return
        }
        let target = try Self.target(of: path)
        var former = stat()
        let replaces = stat(target, &former) == 0
        do throws(SystemError) {
            // Only the owner can open the new file until it has the old permissions.
            let file = try FileReplacement(of: target, isPrivate: replaces, avoidsNameless: avoidsNameless)
            if replaces { try Self.keepPermissions(of: former, at: file.descriptor) }
            place = .file(file)
        } catch {
            throw .opening(path, act: .write, code: error.code)
        }
    }

    /// Gives the new file the permissions of the replaced one, so that no further user can read it.
    private static func keepPermissions(of former: stat, at descriptor: CInt) throws(SystemError) {
        var mode = former.st_mode & 0o777
        // Without the old file's group, the permissions would apply to another group.
        if fchown(descriptor, uid_t.max, former.st_gid) != 0 { mode &= ~0o070 }
        guard fchmod(descriptor, mode) == 0 else { throw SystemError("keep the permissions") }
    }

    /// `[control]` Makes the kernel write the contents so far to the disk while more are produced.
    func beginSettling() { Disk.beginWriting(descriptor: descriptor) }

    /// `[control]` Makes the contents durable, and then gives them the final name in one step.
    ///
    /// Throws `AudioFileError.diskFull`, `noPermission`, `alreadyFinished` or `system`.
    public func commit() throws(AudioFileError) {
        guard !isCommitted else { throw .alreadyFinished(path: path) }
        switch place {
        case .pipe(let pipe):
            isCommitted = true
            lseek(descriptor, 0, SEEK_SET)
            try SpoolFile.copy(from: descriptor, to: pipe.end.number, path, .write)
        case .file(let file):
            do throws(SystemError) { try file.commit() } catch { throw failure(error.code) }
            isCommitted = true
        }
    }

    /// `[control]` Gives the file its final name before it is complete; its contents then stay, even after a failure.
    ///
    /// A pipe gets its contents only at the end. Throws as `commit` does.
    func publish() throws(AudioFileError) {
        guard case .file(let file) = place, !isCommitted else { return }
        do throws(SystemError) { try file.takeName() } catch { throw failure(error.code) }
    }

    /// `[control]` Truncates the contents to a length; throws as `commit` does.
    func cut(toByteCount count: Int64) throws(AudioFileError) {
        guard ftruncate(descriptor, off_t(count)) == 0 else { throw failure(errno) }
    }

    /// `[control]` Removes the temporary name, if there is one.
    public func discard() { if case .file(let file) = place { file.discard() } }

    private func failure(_ code: CInt) -> AudioFileError {
        var status = stat()
        let byteCount = fstat(descriptor, &status) == 0 ? UInt64(status.st_size) : 0
        return .writing(path, SoundFileIO.Failure(code: code, byteOffset: byteCount, wantedByteOffset: byteCount))
    }
}
