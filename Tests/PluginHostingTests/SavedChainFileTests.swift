// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Files of saved chains, and files that only look like them: each of those is refused with its reason.

import FoundationEssentials
import Glibc
import Testing

@testable import PluginHosting

@Suite(.serialized) struct SavedChainFileTests {
    private static let unit = """
        {"id": "aufx:a:b", "name": "A", "version": "1.0.0", "isolation": "in-process", "parameters": {"gain": 1},
        "custom": "AAEC", "texts": {"file": "x"}, "automation": [{"parameter": "gain", "points": [{"seconds": 1, "value": 2}]}]}
        """

    private static func document(_ units: String, version: String = "1") -> String {
        "{\"chain\": \(version), \"units\": [\(units)]}"
    }

    private func chain() throws -> SavedChain { try SavedChain(encoded: Data(Self.document(Self.unit).utf8)) }

    private func sentence(_ act: () throws -> Void) throws -> String {
        "\(try #require(#expect(throws: HostingError.self, performing: act)))"
    }

    @Test func aChainIsKeptUnderItsNameUntilItIsDeleted() throws {
        let folder = try TemporaryFolder()
        setenv("XDG_DATA_HOME", folder.path, 1)
        defer { unsetenv("XDG_DATA_HOME") }
        var chain = try chain()
        let path = try chain.save(as: "Mine, all mine")
        #expect(path == "\(folder.path)/bulkhead/chains/Mine, all mine.json")
        #expect(try SavedChain.load("Mine, all mine") == chain && SavedChain.load(path) == chain)
        chain.units.append(chain.units[0])
        try chain.save(as: "Mine, all mine")
        #expect(try SavedChain.load("Mine, all mine").units.count == 2)
        let files = try FileManager.default.contentsOfDirectory(atPath: FilePath.folder(of: path))
        #expect(files == ["Mine, all mine.json"] && SavedChain.names == ["Mine, all mine"])
        #expect(try sentence { _ = try SavedChain.load("Mine") }.contains("There is \"Mine, all mine\"."))
        try SavedChain.delete("Mine, all mine")
        #expect(SavedChain.names.isEmpty)
        #expect(try sentence { try SavedChain.delete("Mine, all mine") }.contains("You have saved none."))
        for name in ["", "..", ".hidden", "two\nlines", String(repeating: "x", count: 300)] {
            #expect(try sentence { try chain.save(as: name) }.contains("cannot be that of a file"))
        }
    }

    @Test func aPathMayBeALinkAndIsNeverAnythingElseThanAFile() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "real.json")
        #expect(symlink("real.json", "\(folder.path)/link.json") == 0)
        try chain().save(as: "\(folder.path)/link.json")
        #expect(try SavedChain.load("\(folder.path)/real.json") == chain())
        var status = stat()
        #expect(lstat("\(folder.path)/link.json", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(mkfifo("\(folder.path)/pipe.json", 0o600) == 0)
        for name in ["pipe.json", "."] {
            #expect(try sentence { try chain().save(as: "\(folder.path)/\(name)") }.contains("that is not a file"))
        }
        #expect(try sentence { try chain().save(as: "\(folder.path)/no/a.json") }.contains("no such file or directory"))
    }

    @Test func aFileThatIsNoneOrTooLongKeepsNobodyWaiting() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "empty.json")
        try folder.write("x", to: "long.json")
        #expect(truncate("\(folder.path)/long.json", SavedChain.maximumByteCount + 1) == 0)
        #expect(mkfifo("\(folder.path)/pipe.json", 0o600) == 0)
        for (name, reason) in [
            ("empty.json", "it is empty"), ("long.json", "it has more than 33554432 bytes"), ("pipe.json", "it is not a file"),
            (".", "it is not a file"), ("gone.json", "it is not there"), ("empty.json/x", "it is not there"),
        ] {
            let path = "\(folder.path)/\(name)"
            #expect(try sentence { _ = try SavedChain.load(path) } == "Couldn't read the chain \"\(path)\": \(reason).")
        }
        #expect(try sentence { _ = try SavedChain.load("/dev/zero") }.hasSuffix("it is not a file."))
    }

    private static func changed(_ old: String, _ new: String) -> String { document(unit.replacing(old, with: new)) }

    private static let strangers: [(text: String, reason: String)] = [
        ("words", "it is not a chain of Bulkhead, for it is not JSON, or cut short"),
        ("\u{0}\u{1}\u{2}", "not JSON"), ("[]", "for it is not an object"), ("12", "for it is not an object"),
        ("{}", "for \"chain\" is missing"), ("{\"chain\": \"one\"}", "\"chain\" has the wrong type"),
        ("{\"chain\": 1e999}", "it is not a chain of Bulkhead"), ("{\"chain\": 1.5}", "it is not a chain of Bulkhead"),
        ("{\"chain\": 1}", "\"units\" is missing"), (document(""), "it has no units"),
        (String(repeating: "[", count: 100_000), "it is not a chain of Bulkhead"),
        (document("", version: "2"), "it has format 2, and this host reads 1; a newer Bulkhead wrote it"),
        ("{\"chain\": 3, \"links\": {}}", "a newer Bulkhead wrote it"), (document("", version: "0"), "it has format 0"),
        (document([String](repeating: unit, count: 257).joined(separator: ",")), "it has 257 units, and 256 are the most"),
        (document(unit + ",{}"), "\"units[1].id\" is missing"),
        (changed("\"AAEC\"", "\"A!\""), "\"units[0].custom\" cannot be understood"),
        (changed("in-process", "nowhere"), "\"units[0].isolation\" cannot be understood"),
        (
            changed("\"gain\": 1}", "\"gain\": 1}, \"spaces\": 1"),
            "\"units[0]\" has the key \"spaces\", which there is not; keys are"
        ),
        (changed("\"gain\": 1}", "\"gain\": \"loud\"}"), "\"units[0].parameters.gain\" has the wrong type"),
        (changed("\"gain\": 1}", "\"gain\": null}"), "\"units[0].parameters.gain\" has the wrong type"),
        (changed("\"gain\": 1}", "\"gain\": 1e999}"), "it is not JSON"),
        (changed("\"gain\": 1}", "\"\\u001b[2J\": \"x\"}"), "\"units[0].parameters.?\" has the wrong type"),
        (changed("\"gain\": 1}", "\"\\u001b[2J\": 1}"), "unit 1 is malformed, \"parameters\" has a key path that is not one"),
        (changed("\"A\"", "\"\\u001b[31mRed\""), "unit 1 is malformed, \"name\" is not a name"),
        (changed("\"aufx:a:b\"", "\"\""), "\"id\" is not a name"), (changed("1.0.0", "1.0"), "\"version\" is not three numbers"),
        (changed("\"x\"", "\"\\u0007\""), "\"texts\" holds characters that cannot be shown"),
        (changed("\"x\"", "\"\\u202E\""), "\"texts\" holds characters that cannot be shown"),
        (changed("\"seconds\": 1", "\"seconds\": -1"), "has a point at -1.0 seconds"),
        (changed("\"seconds\": 1", "\"seconds\": 1e300"), "has a point at 1e+300 seconds"),
        (changed("[{\"seconds\": 1, \"value\": 2}]", "[]"), "the automation of \"gain\" has no points"),
    ]

    @Test(arguments: strangers) func aFileThatIsNotAChainIsRefusedWithItsReason(text: String, reason: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "a.json")
        let sentence = try sentence { _ = try SavedChain.load("\(folder.path)/a.json") }
        #expect(sentence.hasPrefix("Couldn't read the chain \"\(folder.path)/a.json\": ") && sentence.hasSuffix("."))
        #expect(sentence.contains(reason), "\(sentence)")
        #expect(!sentence.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test func aTornFileIsRefusedWhereverItIsTorn() throws {
        let whole = Array(try chain().encoded())
        // The last byte is a line feed, which is optional.
        for count in 0..<whole.count - 1 {
            #expect(throws: FileDefect.self) { try SavedChain(encoded: Data(whole[..<count])) }
        }
        #expect(try SavedChain(encoded: Data(whole.dropLast())) == chain())
    }

    @Test func randomDamageIsRefusedOrReadButNeverFatal() throws {
        let whole = Array(try chain().encoded())
        let seed = Seed.chosen
        var random = SeededRandom(seed: seed)
        var refused = 0
        for _ in 0..<3000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            do throws(FileDefect) {
                // A chain that was read can be written, and is the same afterwards.
                let read = try SavedChain(encoded: Data(bytes))
                #expect(try SavedChain(encoded: try read.encoded()) == read, "seed \(seed)")
            } catch {
                refused += 1
            }
        }
        #expect(refused > 1500, "seed \(seed)")
    }

    @Test func whatCouldNotBeReadIsNotWritten() throws {
        let folder = try TemporaryFolder()
        func complaint(_ change: (inout SavedChain) -> Void) throws -> String {
            var chain = try chain()
            change(&chain)
            return try sentence { try chain.save(as: "\(folder.path)/a.json") }
        }
        #expect(try complaint { $0.units = [] }.hasSuffix("it has no units."))
        #expect(try complaint { $0.units[0].parameters["gain"] = .nan }.contains("\"gain\" is nan, which is not a number"))
        #expect(try complaint { $0.units[0].custom = Data(count: 25 << 20) }.contains("bytes, and 33554432 are the most"))
        let many = (0...16_384).map { ("\($0)", 0.0) }
        #expect(
            try complaint { $0.units[0].parameters = Dictionary(uniqueKeysWithValues: many) }
                .contains("there are 16385 parameters, and 16384 are the most"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
