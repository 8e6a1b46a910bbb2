// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sources in C and packages of Debian, read for what one release of Debian forgives and another does not. Test thread.

import FoundationEssentials
import Glibc
import Testing

@Suite struct CLibraryTests {
    private static let files = SourceFile.all(["c", "h"])
    private static let package = text("Package.swift")

    private static func text(_ name: String) -> String {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return FileManager.default.contents(atPath: "\(root)/\(name)").map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// A header of another library may declare the C library's function, in one version of it and not in the next.
    @Test func noStaticFunctionHasTheNameOfOneOfTheCLibrary() throws {
        let library = try #require(dlopen("libc.so.6", RTLD_LAZY))
        defer { dlclose(library) }
        func taken(_ source: SourceFile) -> [String] { source.staticFunctions.filter { dlsym(library, $0) != nil } }
        for source in Self.files { #expect(taken(source).isEmpty, "\(source.path)") }
        let bad = "static void write(Output *output) {\nstatic bool\nstatic int *(*read)(int);\nstatic inline FILE *fopen(\n"
        #expect(taken(SourceFile(path: "Sources/CBad/Bad.c", text: bad)) == ["write", "fopen"])
        #expect(Self.files.flatMap(\.staticFunctions).count > 300)
    }

    /// Another library may bring its flags in one release, and not in the next.
    @Test func eachTargetNamesTheLibrariesWhoseHeadersItIncludes() {
        for source in Self.files {
            guard let declaration = Self.declaration(of: source.module) else { continue }
            for header in source.includedHeaders where !CHeader.isOfSystem(header) {
                let word = CHeader.words.first { header.hasPrefix($0.key) }?.value
                #expect(word.map { declaration.contains($0) } == true, "\(source.path) includes <\(header)>")
            }
        }
        #expect(Self.declaration(of: "CLV2Shims")?.contains("\"CSerd\"") == true && Self.declaration(of: "CNowhere") == nil)
        #expect(!CHeader.isOfSystem("serd/serd.h") && CHeader.isOfSystem("sys/stat.h") && CHeader.isOfSystem("stdio.h"))
    }

    /// The declaration of a target in `Package.swift`, up to the next one.
    private static func declaration(of target: String) -> String? {
        let parts = package.split(separator: "arget(").flatMap { $0.split(separator: ".systemLibrary(") }
        return parts.first { $0.drop { $0.isWhitespace }.hasPrefix("name: \"\(target)\"") }.map(String.init)
    }

    /// The names of each row of the list of packages, which two spaces part from its reason.
    private static let packages = text(".ci/install-dependencies").split(separator: "\n").compactMap { line -> [String]? in
        let parts = line.split(separator: "  ")
        guard parts.count == 2, !line.hasPrefix(" "), !parts[0].contains(" ") else { return nil }
        return parts[0].split(separator: "|").map(String.init)
    }

    @Test func eachPackageHasANameInDebian12AndIn13() {
        // The names that one of the two releases lacks, and the name in the other.
        let differing: [(in12: String, in13: String)] = [
            ("libstdc++-12-dev", "libstdc++-14-dev"), ("libgtk2.0-0", "libgtk2.0-0t64"), ("binutils", "binutils-gold"),
        ]
        let names = Set(Self.packages.flatMap { $0 })
        #expect(names.isSuperset(of: ["libpipewire-0.3-dev", "tap-plugins", "perl"]))
        for row in differing { #expect(Self.packages.contains([row.in13, row.in12]), "\(row.in12)") }
        for row in Self.packages where row.count == 1 {
            #expect(!differing.contains { [$0.in12, $0.in13].contains(row[0]) } && !row[0].hasSuffix("t64"), "\(row[0])")
        }
    }

    @Test func theNamesOfPackageSwiftAreAmongThoseInstalled() {
        let named = Self.package.split(separator: ".apt([\"").dropFirst().compactMap { $0.split(separator: "\"").first }
        #expect(named.count > 8)
        for name in named { #expect(Self.packages.contains { $0.contains(String(name)) }, "\(name)") }
    }
}

/// Headers that come in angle brackets.
private enum CHeader {
    /// The beginning of a library's headers, and what a target that includes one says in `Package.swift`.
    ///
    /// A library without a file for pkg-config is found in /usr/include, by the one module that is named here.
    static let words = [
        "cairo": "pkgConfig: \"cairo\"", "curses.h": ".linkedLibrary(\"tinfo\")",
        "dbus/": "pkgConfig: \"dbus-1\"", "ebur128.h": "pkgConfig: \"libebur128\"", "fluidsynth.h": "\"libfluidsynth-dev\"",
        "ladspa.h": "\"CLADSPA\"", "lilv/": "\"CLilv\"", "lo/": "pkgConfig: \"liblo\"", "lrdf.h": "\"CLRDF\"", "lv2/": "\"CLilv\"",
        "pipewire/": "-I/usr/include/pipewire-0.3", "samplerate.h": "pkgConfig: \"samplerate\"", "serd/": "\"CSerd\"",
        "sha2.h": "pkgConfig: \"libmd\"", "sndfile.h": "pkgConfig: \"sndfile\"", "spa/": "-I/usr/include/spa-0.2",
        "speex/": "pkgConfig: \"speexdsp\"", "term.h": ".linkedLibrary(\"tinfo\")", "zlib.h": "pkgConfig: \"zlib\"",
    ]

    private static let system: Set<String> = [
        "dirent.h", "dlfcn.h", "errno.h", "execinfo.h", "fcntl.h", "limits.h", "math.h", "poll.h", "pthread.h", "sched.h",
        "semaphore.h",
        "signal.h", "spawn.h", "stdarg.h", "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h",
        "termios.h", "threads.h", "time.h", "unistd.h", "xmmintrin.h",
    ]

    /// Whether a header belongs to the C library, the compiler or the kernel.
    static func isOfSystem(_ header: String) -> Bool {
        system.contains(header) || ["sys/", "linux/", "netinet/", "arpa/"].contains { header.hasPrefix($0) }
    }
}

extension SourceFile {
    /// The names of the static functions of a C source that begin a line.
    fileprivate var staticFunctions: [String] {
        lines.filter { $0.hasPrefix("static ") }.compactMap { line in
            func isPartOfName(_ character: Character) -> Bool { character.isLetter || character.isNumber || character == "_" }
            guard let end = line.firstIndex(of: "("), !line[..<end].contains("=") else { return nil }
            guard let last = line[..<end].last, isPartOfName(last) else { return nil }
            return line[..<end].split { !isPartOfName($0) }.last.map(String.init)
        }
    }

    /// The headers that a C source includes in angle brackets.
    fileprivate var includedHeaders: [String] {
        lines.filter { $0.hasPrefix("#include <") }.compactMap { $0.split(separator: ">").first?.dropFirst(10) }.map(String.init)
    }
}
