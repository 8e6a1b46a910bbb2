// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The counts of the library that watches an extension's render thread, on the host's side. Thread of the case.

import FoundationEssentials
import Glibc
import LinuxSystem
import PluginHosting
import Printing

/// The memory for the counts of a watched extension.
///
/// Its layout is that of RenderWatch.h.
final class RenderWatch {
    static let libraryName = "libbulkhead-renderwatch.so"
    private static let variable = "BULKHEAD_RENDERWATCH"
    private static let nameByteCount = 120
    /// A count beyond this is not credible for a case of some seconds.
    private static let mostCredible: UInt64 = 1_000_000_000
    private static let kinds: [(name: String, phrase: String)] = [
        ("allocations", "allocated memory"), ("releases", "freed memory"), ("locks", "took a lock"),
        ("waits", "waited for something"), ("opens", "opened or closed a file"), ("reads", "read from a file"),
        ("writes", "wrote to a file"), ("sleeps", "went to sleep"),
    ]

    /// One kind of act that is forbidden on a render thread.
    struct Offence {
        let name: String
        /// The act, as a phrase after "it".
        let phrase: String
        let count: Int
        /// The function that was called first, and the library that called it.
        let first: String
    }

    struct Counts {
        let renderCount: Int
        /// The kinds that occurred.
        let offences: [Offence]
    }

    let memory: SharedMemory

    init() throws(CaseEnd) {
        do throws(SystemError) {
            memory = try SharedMemory(name: "render watch", byteCount: 16 + Self.kinds.count * (8 + Self.nameByteCount))
        } catch {
            throw .failed("\(error)")
        }
    }

    /// The library in one of the folders of helpers; nil if none has it.
    static var libraryPath: String? {
        HostConfiguration.current.supportFolders.map { "\($0)/\(libraryName)" }.first {
            FileManager.default.isReadableFile(atPath: $0)
        }
    }

    /// The environment that makes an extension load the library and count in this memory.
    func addition(library: String) -> ExtensionAddition {
        ExtensionAddition(
            environment: ["LD_PRELOAD": library, Self.variable: "\(ExtensionAddition.descriptor)"], libraries: [library],
            memory: memory)
    }

    /// The counts so far; nil if they are not credible, because the extension has overwritten them.
    ///
    /// The extension can write anything: a name is cut at its end and cleared of control characters.
    var counts: Counts? {
        let base = memory.base
        let renders = base.load(fromByteOffset: 8, as: UInt64.self)
        guard renders <= Self.mostCredible else { return nil }
        var offences: [Offence] = []
        for (index, kind) in Self.kinds.enumerated() {
            let start = 16 + index * (8 + Self.nameByteCount)
            let count = base.load(fromByteOffset: start, as: UInt64.self)
            guard count <= Self.mostCredible else { return nil }
            guard count > 0 else { continue }
            let bytes = UnsafeRawBufferPointer(start: base + start + 8, count: Self.nameByteCount).prefix { $0 != 0 }
            let first = PrintableText.cleaned(String(decoding: bytes, as: UTF8.self))
            offences.append(Offence(name: kind.name, phrase: kind.phrase, count: Int(count), first: first))
        }
        return Counts(renderCount: Int(renders), offences: offences)
    }
}
