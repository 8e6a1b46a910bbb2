// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Recognises libraries for this processor by a file's first bytes. Control threads.

import Glibc
import LinuxSystem

/// The beginning of an ELF file.
enum LibraryHeader {
    private static let byteCount = 20

    #if arch(x86_64)
        private static let ownMachine = EM_X86_64
    #elseif arch(arm64)
        private static let ownMachine = EM_AARCH64
    #endif

    /// The reason why the file cannot be loaded; nil if its header permits it.
    ///
    /// The check starts no process.
    static func defect(ofFile path: String) -> String? {
        // Opening a pipe without a writer would block.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return "it cannot be read: \(SystemError("").reason)" }
        let descriptor = Descriptor(owning: file)
        var status = stat()
        guard fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return "it is not a file" }
        let bytes = Descriptor.head(of: descriptor.number, byteCount: byteCount)
        guard bytes.count == byteCount else { return "it is not a library (ELF)" }
        return defect(of: bytes)
    }

    private static func defect(of bytes: [UInt8]) -> String? {
        guard bytes[0...3] == [0x7F, UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "F")] else {
            return "it is not a library (ELF)"
        }
        guard bytes[4] == UInt8(ELFCLASS64), bytes[5] == UInt8(ELFDATA2LSB) else {
            return "it is a library for another kind of processor"
        }
        let (type, machine) = (Int32(bytes[16]) | Int32(bytes[17]) << 8, Int32(bytes[18]) | Int32(bytes[19]) << 8)
        guard machine == ownMachine else { return "it is a library for another kind of processor (ELF machine \(machine))" }
        return type == ET_DYN ? nil : "it is not a shared library (ELF type \(type))"
    }
}
