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
    /// More than a case of some seconds can count.
    private static let mostCredible: UInt64 = 1_000_000_000
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

    let memory: SharedMemory

    init() throws(CaseEnd) {
        do throws(SystemError) {
            memory = try SharedMemory(name: "render watch", byteCount: 16 + Self.kinds.count * (8 + Self.nameByteCount))
        } catch {
            throw .failed("\(error)")
        }
    }

    /// The library in one of the folders of helpers; nil when none holds it.
    static var libraryPath: String? {
        HostConfiguration.current.supportFolders.map { "\($0)/\(libraryName)" }.first {
            FileManager.default.isReadableFile(atPath: $0)
        }
    }

    /// What makes an extension load the library and count here.
    func addition(library: String) -> ExtensionAddition {
        ExtensionAddition(
            environment: ["LD_PRELOAD": library, Self.variable: "\(ExtensionAddition.descriptor)"], libraries: [library],
            memory: memory)
    }

    /// What was counted so far; nil when something else than the library has written there. The extension can write what it
    /// likes: a name is cut at its end and holds no control characters, and a count is credible.
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
