// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A process sees held code as it was when the host read it, also after another file has taken its name.

import FoundationEssentials
import Glibc
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@testable import Confinement
@testable import PluginHosting

@Suite(.enabled(if: ConfinementOffer.current.namespaces.contains(.mount), "there are no mount namespaces here"))
struct HeldCodeTests {
    private let treasury: Treasury
    private let plugins: String

    /// The folder `plugins` is shown, with the plug-in "one" in it: a folder that holds a file in a folder.
    init() throws {
        treasury = try Treasury()
        plugins = "\(treasury.folder)/plugins"
        for name in ["one/data", "two"] {
            try FileManager.default.createDirectory(atPath: "\(plugins)/\(name)", withIntermediateDirectories: true)
        }
        for name in ["one/code", "one/data/more", "two/code", "lone"] { try write("former \(name)", name) }
        symlink("code", "\(plugins)/one/link")
    }

    private func write(_ text: String, _ name: String) throws {
        try Data("\(text)\n".utf8).write(to: URL(fileURLWithPath: "\(plugins)/\(name)"))
    }

    /// Gives the names of these files to new ones, as an installation does.
    private func replace(_ names: [String]) throws {
        for name in names {
            try write("new \(name)", "\(name)~")
            try #require(rename("\(plugins)/\(name)~", "\(plugins)/\(name)") == 0)
        }
    }

    /// The lines that a confined shell reads from these files after they were replaced.
    private func lines(_ names: [String], holding homes: [String], replacing replaced: [String]) throws -> [String] {
        let shell = try #require(FilePath.resolved("/bin/sh"))
        var confinement = Confinement.standard(executable: shell)
        confinement.paths += [Confinement.NamedPath(plugins, .read), Confinement.NamedPath("\(treasury.folder)/socket", .read)]
        confinement.held = try homes.flatMap { try CodeDigest.reading("\(plugins)/\($0)", .stamp, mayLeadOut: true).held }
        // Shell builtins alone: a plug-in may start no other program.
        let reading = names.map { "read line < '\(plugins)/\($0)'; echo \"$line\"" }.joined(separator: "; ")
        let script = "echo ready; until [ -e '\(plugins)/two/go' ]; do :; done; \(reading); echo end"
        // The shell waits for the replacement, also if another one has been told to go on before.
        unlink("\(plugins)/two/go")
        let (_, peer) = try ControlSocket.pair()
        let child = try ChildProcess(
            path: shell, arguments: ["-c", script], environment: [:], control: peer, confinement: confinement)
        var text = try output(of: child, upTo: "ready\n")
        try replace(replaced)
        try write("", "two/go")
        text = try output(of: child, upTo: "end\n")
        _ = child.wait(milliseconds: -1)
        return text.split(separator: "\n").map(String.init).dropLast()
    }

    private func output(of child: ChildProcess, upTo mark: String) throws -> String {
        let socket = try #require(child.output)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
        defer { buffer.deallocate() }
        var text = ""
        while !text.hasSuffix(mark) {
            Descriptor.awaitAny([socket.descriptor], nanoseconds: nil)
            guard case .bytes(let count) = socket.read(into: buffer) else {
                Issue.record("it ended after \"\(text)\"")
                return text
            }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return text
    }

    @Test func aPlugInInAFolderIsSeenAsItWas() throws {
        let names = ["one/code", "one/link", "one/data/more", "two/code", "lone"]
        #expect(
            try lines(names, holding: ["one"], replacing: ["one/code", "one/data/more", "two/code"])
                == ["former one/code", "former one/code", "former one/data/more", "new two/code", "former lone"])
    }

    @Test func aLibraryIsSeenAsItWas() throws {
        #expect(
            try lines(["lone", "one/code"], holding: ["lone"], replacing: ["lone", "one/code"]) == ["former lone", "new one/code"])
    }

    /// A program that may replace the code may also fill the folder around it.
    @Test func codeAmongHundredsOfOthersIsSeenAsItWas() throws {
        for number in 0..<400 { try write("other", "other \(number)") }
        #expect(try lines(["one/code", "other 1"], holding: ["one"], replacing: ["one/code"]) == ["former one/code", "other"])
    }

    /// A link in a plug-in may lead to a library that lies elsewhere.
    @Test func aFileOutsideToWhichALinkLeadsIsSeenAsItWas() throws {
        try FileManager.default.createDirectory(atPath: "\(plugins)/libraries", withIntermediateDirectories: true)
        try write("former library", "libraries/code")
        symlink("../libraries/code", "\(plugins)/one/outer")
        let names = ["one/outer", "libraries/code"]
        #expect(try lines(names, holding: ["one"], replacing: ["libraries/code"]) == ["former library", "former library"])
    }

    /// Other plug-ins beside it are installed and removed meanwhile.
    @Test func whatChangesBesideTheCodeHindersNoStart() throws {
        let isOver = Atomic<Bool>(false)
        let path = plugins
        let changing = try LinuxSystem.Thread(name: "exchange") {
            while !isOver.load(ordering: .relaxed) {
                rename("\(path)/lone", "\(path)/gone")
                symlink("nowhere", "\(path)/lone~")
                let file = open("\(path)/lone", O_WRONLY | O_CREAT, 0o644)
                close(file)
                unlink("\(path)/lone~")
                rename("\(path)/gone", "\(path)/lone")
            }
        }
        defer {
            isOver.store(true, ordering: .relaxed)
            changing.join()
        }
        for _ in 0..<40 { #expect(try lines(["one/code"], holding: ["one"], replacing: []) == ["former one/code"]) }
    }

    /// The control: what is not held is seen as it is.
    @Test func withoutAHoldTheNewFileIsSeen() throws {
        #expect(try lines(["one/code"], holding: [], replacing: ["one/code"]) == ["new one/code"])
    }

    @Test func aFileThatChangedBeforeItsMountEndsTheStart() throws {
        let shell = try #require(FilePath.resolved("/bin/sh"))
        var confinement = Confinement.standard(executable: shell)
        confinement.paths.append(Confinement.NamedPath(plugins, .read))
        confinement.held = [try CodeDigest.reading("\(plugins)/one", .stamp).code]
        try write("written in place", "one/code")
        let (_, peer) = try ControlSocket.pair()
        let error = #expect(throws: SystemError.self) {
            try ChildProcess(path: shell, arguments: [], environment: [:], control: peer, confinement: confinement)
        }
        #expect(error?.code == ESTALE)
    }

    /// The program of a bundle may lie in a folder of its own, which is all that the process sees of the bundle.
    @Test func ofCodeThatIsSeenInPartThatPartIsHeld() throws {
        let code = try CodeDigest.reading("\(plugins)/one", .stamp).code
        let visible = VisiblePaths([Confinement.NamedPath("\(plugins)/one/data", .read)], holding: [code], mostPaths: 4)
        #expect(visible.paths.map(\.path) == ["\(plugins)/one/data/more"] && visible.paths.allSatisfy(\.isHeld))
        #expect(visible.folders == [ExactPath("\(plugins)/one/data")])
    }

    /// Too many files around it: the folder is shown as it lies there, and the check after the start remains.
    @Test func codeAmongTooManyFilesIsShownInItsFolder() throws {
        let code = try CodeDigest.reading("\(plugins)/one", .stamp).code
        let named = [Confinement.NamedPath(plugins, .read)]
        #expect(VisiblePaths(named, holding: [code], mostPaths: 4).paths.count == 4)
        #expect(VisiblePaths(named, holding: [code], mostPaths: 3).paths.map(\.path) == [plugins])
    }
}
