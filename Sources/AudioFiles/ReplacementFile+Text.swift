// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes a small text file completely or not at all. Control thread.

import Glibc

extension ReplacementFile {
    /// `[control]` Writes `text` to `path`, and replaces an existing file in one step.
    ///
    /// Throws `AudioFileError.isDirectory`, `notRegular`, `noPermission`, `folderMissing`, `diskFull` or `system`.
    public static func replace(_ path: String, with text: String) throws(AudioFileError) {
        let file = try ReplacementFile(path: path)
        let io = try SoundFileIO(sharing: file)
        var text = text
        text.withUTF8 { bytes in
            if let base = bytes.baseAddress { _ = io.write(base, bytes.count) }
        }
        if let failure = io.failure { throw .writing(path, failure) }
        try file.commit()
    }
}

extension SoundFileIO {
    /// A second descriptor of the same open file.
    convenience init(sharing file: ReplacementFile) throws(AudioFileError) {
        let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .system(path: file.path, act: .write, code: errno) }
        self.init(descriptor: descriptor)
    }
}
