// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A chain from elsewhere gets no right that the user has not given, and a chain of the user's own keeps its rights.

import FoundationEssentials
import Glibc
import LinuxSystem
import Testing

@testable import PluginHosting

@Suite struct ChainWishesTests {
    private let bench: ScanBench
    private let registry: ComponentRegistry
    private let file: String

    init() throws {
        bench = try ScanBench()
        try bench.bundle("liar", "unit liar\n")
        try bench.bundle("other", "unit other\n")
        registry = try bench.scan()
        file = bench.path("hall.wav")
        try bench.write([0], to: "hall.wav")
    }

    /// Units of these plug-ins as a person may write them.
    private func chain(_ names: [String], isolation: String = "out-of-process", texts: [String: String] = [:]) throws -> SavedChain
    {
        let units = try names.map { name in
            let id = try #require(registry.components.first { $0.name == name }).id
            let texts = String(decoding: try ReadableJSON.encode(texts), as: UTF8.self)
            return """
                {"id": "\(id)", "name": "\(name)", "version": "1.0.0", "isolation": "\(isolation)", "parameters": {},
                 "texts": \(texts)}
                """
        }
        return try SavedChain(encoded: Data("{\"chain\": 1, \"units\": [\(units.joined(separator: ","))]}".utf8))
    }

    private func wishes(_ chain: SavedChain) throws -> [RightWish] { try chain.wishes(in: registry, name: "Mine") }

    @Test func aFileIsReadOnlyIfTheUserAllowsThatFile() throws {
        let foreign = try chain(["liar"], texts: ["file": file])
        #expect(!foreign.isOwn)
        let wish = RightWish.read(unit: "liar", path: file, file: file)
        #expect(try wishes(foreign) == [wish])
        #expect(throws: HostingError.unconfirmedWishes(document: "the chain \"Mine\"", [wish])) {
            try foreign.check(Allowances(), in: registry, name: "Mine")
        }
        var allowances = Allowances()
        allowances.files = [ExactPath("/etc/hostname")]
        #expect(throws: HostingError.self) { try foreign.check(allowances, in: registry, name: "Mine") }
        allowances.files = [ExactPath(file)]
        try foreign.check(allowances, in: registry, name: "Mine")
    }

    /// The control: the same words, written by this user's host.
    @Test func aChainOfTheUsersOwnAsksForNothing() throws {
        let foreign = try chain(["liar"], isolation: "in-process", texts: ["file": file])
        var known = foreign
        known.units[0].code = try #require(registry.components.first { $0.name == "liar" }).code()
        let own = try SavedChain(encoded: try known.encoded())
        #expect(own.isOwn && own == known)
        #expect(try wishes(own) == [])
        #expect(SavedUnit.unchanged(own.units, in: registry) == own.units)
        #expect(SavedUnit.unchanged(own.units, in: ComponentRegistry(searchPath: [])).isEmpty)
        // The file was given to the plug-in as it was.
        try bench.bundle("liar", "unit liar\n\n")
        #expect(SavedUnit.unchanged(own.units, in: registry).isEmpty)
        #expect(try wishes(own) == [.read(unit: "liar", path: file, file: file)])
        try bench.bundle("liar", "unit liar\n")
        // One word changed by another hand.
        let text = String(decoding: try own.encoded(), as: UTF8.self).replacing("hall.wav", with: "wall.wav")
        let changed = try SavedChain(encoded: Data(text.utf8))
        #expect(!changed.isOwn)
        let wall = bench.path("wall.wav")
        #expect(try wishes(changed) == [.read(unit: "liar", path: wall, file: wall), .inProcess(unit: "liar")])
    }

    /// A seal of another user's host is no seal here.
    @Test func aSealIsMadeWithAKeyThatOnlyTheUserHas() throws {
        let (one, two) = (DocumentSeal(keyPath: bench.path("one.key")), DocumentSeal(keyPath: bench.path("two.key")))
        let mark = try #require(one.mark([1, 2, 3]))
        #expect(one.isMark(mark, of: [1, 2, 3]) && !one.isMark(mark, of: [1, 2, 4]) && !one.isMark([], of: [1, 2, 3]))
        #expect(two.mark([1, 2, 3]) != mark && !two.isMark(mark, of: [1, 2, 3]))
        var status = stat()
        #expect(stat(bench.path("one.key"), &status) == 0 && status.st_mode & 0o777 == 0o600)
        // A key that others could have read or written is none.
        #expect(chmod(bench.path("one.key"), 0o644) == 0 && !one.isMark(mark, of: [1, 2, 3]))
        #expect(DocumentSeal(keyPath: nil).mark([1]) == nil)
    }

    /// Swift takes the two names for one text, and the kernel for two files.
    @Test func aNameWithOtherBytesIsAnotherFile() throws {
        let (composed, decomposed) = (bench.path("h\u{E9}.wav"), bench.path("he\u{301}.wav"))
        try bench.write([0], to: "h\u{E9}.wav")
        try bench.write([0], to: "he\u{301}.wav")
        var allowances = Allowances()
        allowances.files = [ExactPath(composed)]
        try chain(["liar"], texts: ["file": composed]).check(allowances, in: registry, name: "Mine")
        let foreign = try chain(["liar"], texts: ["file": decomposed])
        #expect(throws: HostingError.self) { try foreign.check(allowances, in: registry, name: "Mine") }
        var started = Allowances()
        started.grant(try chain(["liar"], texts: ["file": composed]).units, in: registry)
        #expect(!started.covers(foreign.units[0]))
    }

    @Test(arguments: ["/etc", "/proc/self/environ", "/proc", "/dev/full", "/sys/kernel/notes"])
    func whatIsNoOrdinaryFileCannotBeHadByAnyWord(_ path: String) throws {
        let foreign = try chain(["liar"], texts: ["label": path])
        var allowances = Allowances()
        allowances.files = [ExactPath(path)]
        let error = #expect(throws: HostingError.self) { try foreign.check(allowances, in: registry, name: "Mine") }
        #expect(error?.description.contains("a document can name regular files only") == true)
    }

    @Test func aLinkIsShownWithWhereItLeads() throws {
        #expect(symlink("/etc/hostname", bench.path("link.wav")) == 0)
        let wish = try #require(try wishes(try chain(["liar"], texts: ["file": bench.path("link.wav")])).first)
        #expect(wish.description.hasSuffix("link.wav\", which leads to \"/etc/hostname\""))
    }

    @Test func whatThePlugInReadsAnywayAndWhatIsNoPathIsNoWish() throws {
        try bench.write([0], to: "lv2/liar.lv2/own.wav")
        let texts = ["a": bench.path("lv2/liar.lv2/own.wav"), "b": "hall.wav", "c": "", "d": "/"]
        #expect(try wishes(try chain(["liar"], texts: texts)) == [])
        let code = try #require(registry.components.first { $0.name == "liar" }).code()
        let id = try #require(registry.components.first { $0.name == "liar" }).id
        #expect(try bench.installation.changeSettings { $0.grant(id, code, reading: bench.folder.path) })
        // What it may read by a grant is a wish all the same: the grant may end, and the chain may be saved meanwhile.
        let granted = try bench.scan()
        #expect(try chain(["liar"], texts: ["file": file]).wishes(in: granted, name: "Mine").count == 1)
    }

    @Test func oneProcessWithOtherPlugInsIsAWish() throws {
        for policy in ["together", "by-manufacturer"] {
            #expect(try wishes(try chain(["liar", "other"], isolation: policy)) == [.share(units: ["liar", "other"])])
            // The user's own effects may have the same policy.
            #expect(try wishes(try chain(["liar"], isolation: policy)) == [.share(units: ["liar"])])
        }
        for policy in ["individually", "by-plugin"] {
            #expect(try wishes(try chain(["liar", "other"], isolation: policy)) == [])
        }
    }

    /// A maker's name is made up by the plug-in.
    @Test func aNameThatLooksLikeAKeyIsAName() throws {
        var granted = try #require(registry.components.first { $0.name == "liar" })
        granted.granted = [file]
        for policy in [IsolationPolicy.byManufacturer, .together] {
            #expect(granted.companionship(policy) == .plugin(id: granted.id, home: granted.home))
        }
    }

    /// What one may read by a grant, its neighbour in the same process could read too.
    @Test func unitsWithGrantsOfTheirOwnShareNoProcess() throws {
        let liar = try #require(registry.components.first { $0.name == "liar" })
        let other = try #require(registry.components.first { $0.name == "other" })
        #expect(liar.companionship(.together) == other.companionship(.together))
        var granted = liar
        granted.granted = [file]
        #expect(granted.companionship(.together) != other.companionship(.together))
        #expect(granted.companionship(.together) == granted.companionship(.together))
    }
}
