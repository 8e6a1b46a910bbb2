// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A file that appears under its name only when it is complete. Control thread.

import Glibc

/// A file without a name, in the folder of the file that it will replace.
///
/// The kernel frees a nameless file (`O_TMPFILE`) at any end of the process, even if it is killed. On a file system without nameless files,
/// the file gets a hidden name, which `discard()` or `deinit` removes.
public final class FileReplacement {
    /// The path of the file to replace; a link there would itself be replaced, and not its target.
    public let target: String
    /// The descriptor, open for reading and writing as long as this object lives.
    public let descriptor: Int32

    private var temporaryPath: String?
    /// `O_TMPFILE`, which Glibc's module leaves out because it is a compound macro.
    private static let nameless = 0o20_000_000 | O_DIRECTORY

    /// Opens a new file beside `target`; if `isPrivate`, only its owner can open it, otherwise the process's mask decides.
    ///
    /// `avoidsNameless` chooses the hidden name even if the file system has nameless files. Throws `SystemError`.
    public init(of target: String, isPrivate: Bool, avoidsNameless: Bool = false) throws(SystemError) {
        self.target = target
        let mode: mode_t = isPrivate ? 0o600 : 0o666
        let number = avoidsNameless ? -1 : open(Self.folder(of: target), Self.nameless | O_RDWR | O_CLOEXEC, mode)
        if number >= 0 {
            descriptor = number
        } else {
            let name = Self.hiddenName(beside: target)
            descriptor = open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode)
            guard descriptor >= 0 else { throw SystemError("write \"\(target)\"") }
            temporaryPath = name
        }
    }

    deinit {
        discard()
        if descriptor >= 0 { close(descriptor) }
    }

    /// Makes the contents durable, gives them the final name in one step, and makes the name durable.
    ///
    /// Throws `SystemError`.
    public func commit() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw SystemError("write \"\(target)\"") }
        try takeName()
        syncFolder()
    }

    /// Gives the file its final name, unless it already has it; later writes go there, too.
    ///
    /// Throws `SystemError`.
    public func takeName() throws(SystemError) {
        guard !isNamed else { return }
        let name = try temporaryName()
        guard rename(name, target) == 0 else { throw SystemError("write \"\(target)\"") }
        (temporaryPath, isNamed) = (nil, true)
    }

    /// True if the file has its final name.
    public private(set) var isNamed = false

    /// Removes the temporary name, if there is one.
    public func discard() {
        if let temporaryPath { unlink(temporaryPath) }
        temporaryPath = nil
    }

    /// Links a nameless file to a hidden name first, since `linkat` does not replace a file and `rename` does.
    private func temporaryName() throws(SystemError) -> String {
        if let temporaryPath { return temporaryPath }
        let name = Self.hiddenName(beside: target)
        guard linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else {
            throw SystemError("write \"\(target)\"")
        }
        temporaryPath = name
        return name
    }

    /// Makes the name durable; otherwise it might not survive a power failure, though the contents would.
    private func syncFolder() {
        let folder = open(Self.folder(of: target), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A hidden, unused name in the same folder, short enough for a file name.
    private static func hiddenName(beside target: String) -> String {
        let name = target.lastIndex(of: "/").map { target[target.index(after: $0)...] } ?? target[...]
        let stem = String(decoding: name.utf8.prefix(200), as: UTF8.self)
        let tag = String(UInt64.random(in: 0 ... .max), radix: 36)
        return "\(folder(of: target))/.\(stem).\(tag).part"
    }
}
