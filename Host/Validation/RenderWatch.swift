// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The counts of the library that watches an extension's render thread, as this side reads them. Thread of the case.

import FoundationEssentials
import Glibc
import LinuxSystem
import PluginHosting

/// Memory into which a watched extension counts. Its layout is that of RenderWatch.h.
final class RenderWatch {
    static let libraryName = "libbulkhead-renderwatch.so"
    private static let variable = "BULKHEAD_RENDERWATCH"
    private static let nameByteCount = 120
    private static let kinds: [(name: String, phrase: String)] = [
        ("allocations", "allocated memory"), ("releases", "freed memory"), ("locks", "took a lock"),
        ("waits", "waited for something"), ("opens", "opened or closed a file"), ("reads", "read from a file"),
        ("writes", "wrote to a file"), ("sleeps", "went to sleep"),
    ]

    /// One kind of what should not be done.
    struct Offence {
        let name: String
        /// To follow "it".
        let phrase: String
        let count: Int
        /// Which function whose code called first.
        let first: String
    }

    struct Counts {
        let renderCount: Int
        /// The kinds that were committed at all.
        let offences: [Offence]
    }

    private let memory: SharedMemory

    init() throws(CaseEnd) {
        do throws(SystemError) {
            memory = try SharedMemory(name: "render watch", byteCount: 16 + Self.kinds.count * (8 + Self.nameByteCount))
        } catch {
            throw .failed("\(error)")
        }
    }

    /// The library beside this command in a build, or in the library folder of an installation; nil when it is not there.
    static var libraryPath: String? {
        let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folder = FilePath.folder(of: executable)
        return ["\(folder)/\(libraryName)", "\(folder)/../lib/bulkhead/\(libraryName)"].first {
            FileManager.default.isReadableFile(atPath: $0)
        }
    }

    /// What makes an extension load the library and count here. It finds the memory by this process's own descriptor.
    func environment(library: String) -> [String: String] {
        ["LD_PRELOAD": library, Self.variable: "/proc/\(getpid())/fd/\(memory.descriptor)"]
    }

    /// What was counted so far. The extension writes it: a name is cut at its end, and a count is any number.
    var counts: Counts {
        let base = memory.base
        let renders = base.load(fromByteOffset: 8, as: UInt64.self)
        let offences = Self.kinds.enumerated().compactMap { index, kind -> Offence? in
            let start = 16 + index * (8 + Self.nameByteCount)
            let count = base.load(fromByteOffset: start, as: UInt64.self)
            guard count > 0 else { return nil }
            let bytes = UnsafeRawBufferPointer(start: base + start + 8, count: Self.nameByteCount).prefix { $0 != 0 }
            return Offence(
                name: kind.name, phrase: kind.phrase, count: Int(clamping: count), first: String(decoding: bytes, as: UTF8.self))
        }
        return Counts(renderCount: Int(clamping: renders), offences: offences)
    }
}
