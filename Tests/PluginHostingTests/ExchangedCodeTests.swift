// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Folders that take each other's names while the host reads them, and decisions about other code of the same plug-in. Test thread.

import Confinement
import FoundationEssentials
import Glibc
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@testable import PluginHosting

/// Exchanges two names in one step; true if that is possible.
@discardableResult
private func swapNames(_ one: String, _ other: String) -> Bool {
    typealias Rename = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
    guard let function = dlsym(nil, "renameat2") else { return false }
    // RENAME_EXCHANGE
    let flags: UInt32 = 2
    return unsafeBitCast(function, to: Rename.self)(AT_FDCWD, one, AT_FDCWD, other, flags) == 0
}

@Suite(.serialized, .timeLimit(.minutes(15))) struct ExchangedCodeTests {
    private let bench: ScanBench
    private let component: Component
    /// A copy of the plug-in's folder with other code.
    private let other: String

    init() throws {
        bench = try ScanBench()
        try bench.bundle("liar", "unit liar honest\n")
        component = try #require(try bench.scan().components.first { $0.name == "honest" })
        other = bench.path("other")
        try FileManager.default.copyItem(atPath: component.home, toPath: other)
        try Data("unit liar impostor\n".utf8).write(to: URL(fileURLWithPath: "\(other)/manifest.ttl"))
    }

    /// Exchanges two folders by their names as fast as a thread can: no file in them changes.
    private final class FolderExchange: Sendable {
        private let isOver = Atomic<Bool>(false)
        private let thread: Mutex<LinuxSystem.Thread?> = Mutex(nil)

        init(_ one: String, _ other: String) throws {
            let started = try LinuxSystem.Thread(name: "exchange") { [self] in
                // An even number of times: in the end both have their own names.
                while !isOver.load(ordering: .relaxed) {
                    for _ in 0..<2 { swapNames(one, other) }
                }
            }
            thread.withLock { $0 = started }
        }

        func end() {
            isOver.store(true, ordering: .relaxed)
            thread.withLock { $0?.join() }
        }
    }

    @Test func aDigestAndAStampAreThoseOfTheSameFiles() throws {
        let (own, foreign) = (try PluginCode(at: component.home), try PluginCode(at: other))
        #expect(own.digest != foreign.digest && own.stamp != foreign.stamp)
        let digests = [own.stamp: own.digest, foreign.stamp: foreign.digest]
        let exchange = try FolderExchange(component.home, other)
        defer { exchange.end() }
        var seen: Set<String> = []
        for _ in 0..<2000 {
            let code = try PluginCode(at: component.home)
            seen.insert(code.digest)
            #expect(digests[code.stamp] == code.digest)
        }
        // The control: both were there.
        #expect(seen == [own.digest, foreign.digest])
    }

    @Test func whatHadTheNameAMomentAgoIsNotTakenForTheCodeThatWasRead() throws {
        let code = try PluginCode(at: component.home)
        // The contents must be read, since the stamp is another one.
        let restored = PluginCode(path: code.path, digest: code.digest, stamp: "")
        for _ in 0..<40 {
            let exchange = try FolderExchange(component.home, other)
            var count = 0
            while count < 5 { if restored.change(at: component.home) == nil { count += 1 } }
            exchange.end()
            #expect(swapNames(component.home, other))
            #expect(throws: HostingError.codeChanged(unit: component.name, path: component.home)) { try component.checkCode() }
            #expect(swapNames(component.home, other))
        }
        // The control: the code itself has the right.
        #expect(restored.change(at: component.home) == nil)
        try component.checkCode()
    }

    /// The user gives a file to one code, and another right to other code of the same plug-in, which has taken its place.
    @Test func aDecisionAboutOtherCodeGivesItNoRightsOfTheFormer() throws {
        let file = bench.path("hall.wav")
        try bench.write([0], to: "hall.wav")
        let unit = try HostedUnit(component)
        try unit.setText("file", to: file)
        let former = GrantedCode(of: unit)
        #expect(former == GrantedCode(component))
        try bench.bundle("liar", "unit liar impostor\n")
        let (id, code) = (component.id, try component.code())
        #expect(try bench.installation.changeSettings { $0.grant(id, code, reading: bench.folder.path) })
        let impostor = try #require(try bench.scan().components.first { $0.id == id })
        #expect(impostor.granted == [bench.folder.path] && GrantedCode(impostor) != former)
        // A restart, a file that is set, and a unit that comes back by undo.
        let changed = HostingError.codeChanged(unit: component.name, path: component.home)
        #expect(throws: changed) {
            try unit.unitProcess?.makeSuccessor().open(component, act: "restart", reading: [ExactPath(file)])
        }
        #expect(throws: changed) { try unit.setText("file", to: bench.path("other/manifest.ttl")) }
        var (allowances, saved) = (Allowances(), SavedUnit(id: id))
        saved.texts = ["file": file]
        allowances.grant([(saved, former)])
        #expect(!allowances.covers(saved, playedBy: impostor))
        // The control: it has the right that it was given.
        #expect(try HostedUnit(impostor).name == "impostor")
    }

    @Test func aRightIsNotThatOfAnotherPathWithTheSamePlugIn() throws {
        let component = try Build.component("Gain")
        let copy = bench.path("Gain.bulkhead")
        try FileManager.default.copyItem(atPath: component.bundlePath, toPath: copy)
        let elsewhere = try Component(bundlePath: copy)
        #expect(elsewhere.id == component.id && elsewhere.home != component.home)
        var (allowances, saved) = (Allowances(), SavedUnit(id: component.id))
        saved.texts = ["file": "/etc/hostname"]
        allowances.grant([(saved, GrantedCode(component))])
        #expect(allowances.covers(saved, playedBy: component) && !allowances.covers(saved, playedBy: elsewhere))
        // Nothing is asked for: it does not matter where the plug-in is.
        let plain = SavedUnit(id: component.id)
        allowances.grant([(plain, GrantedCode(component))])
        #expect(allowances.covers(plain, playedBy: elsewhere))
    }

    /// A session would seal the code that a unit names, so that this code would have the rights when it is resumed.
    @Test func aUnitThatNamesOtherCodeIsNotCovered() throws {
        var (allowances, saved) = (Allowances(), SavedUnit(id: component.id))
        saved.texts = ["file": "/etc/hostname"]
        saved.code = try component.code()
        allowances.grant([(saved, GrantedCode(component))])
        #expect(allowances.covers(saved))
        saved.code = try PluginCode(at: other)
        #expect(!allowances.covers(saved))
        saved.code = PluginCode(path: component.home, digest: try PluginCode(at: other).digest, stamp: "")
        #expect(!allowances.covers(saved))
    }
}
