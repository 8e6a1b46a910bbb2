// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Units start, or it is reported why one does not.

import AudioUnits
import ControlMessages
import FoundationEssentials
import Glibc
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("measures starts")) struct InstantiationTests {
    private static func welcome(_ id: String, version: UInt32 = 1) -> PluginMessage {
        let description = UnitDescription(
            ComponentDescription(id)!, name: "Fake", manufacturerName: "Nobody", version: UnitVersion(1, 0, 0))
        return .welcome(
            Welcome(version: version, description: description, parameters: ParameterTree(), factoryPresets: []))
    }

    /// The fault with which a script fails as a unit.
    private func fault(of script: String) throws -> PluginFault? {
        let folder = try TemporaryFolder()
        let component = try folder.component("Fake", script: script)
        do throws(HostingError) {
            _ = try HostedUnit(component)
            return nil
        } catch {
            guard case .fault("Fake", "instantiate", let fault) = error else { throw error }
            return fault
        }
    }

    @Test func aUnitRunsInAProcessOfItsOwn() throws {
        let unit = try HostedUnit(try Build.component("Probe"))
        #expect(unit.isolation == .outOfProcess)
        let process = try #require(unit.processIdentifier)
        #expect(process != getpid() && Census.children.contains(process))
        #expect(unit.lifecycleState == .instantiated)
        #expect(unit.description.version == UnitVersion(1, 2, 3))
        #expect(unit.description.inputs.map(\.name) == ["Input", "Side Chain"])
        #expect(unit.parameters.parameters.map(\.keyPath).contains("echo.question"))
        #expect(unit.factoryPresets.map(\.name) == ["Half", "Late and Loud"])
    }

    @Test func aProcessEndsWithItsUnit() throws {
        var unit: HostedUnit? = try Build.unit("Probe")
        let process = try #require(unit?.processIdentifier)
        unit = nil
        #expect(kill(process, 0) == -1 && errno == ESRCH)
        #expect(!Census.children.contains(process))
    }

    /// Several threads may ask a library for its interface first, all at once.
    ///
    /// A copy is a library that no thread has asked yet. Such a race fails only now and then, so a single pass proves nothing.
    @Test(arguments: 0..<16) func theFirstUnitsOfALibraryMayBeMadeAtOnce(round: Int) throws {
        let folder = try TemporaryFolder()
        let library = try #require(try Build.component("Gain").libraryPath)
        let copy = "\(folder.path)/libGain\(round).so"
        try FileManager.default.copyItem(atPath: library, toPath: copy)
        // Loaded beforehand, because otherwise the threads would wait for each other while loading.
        #expect(dlopen(copy, RTLD_NOW | RTLD_LOCAL) != nil)
        let begun = Atomic<Int>(0)
        let connections = try LinuxSystem.Thread.map(Array(0..<8), name: "make") { _ in
            begun.add(1, ordering: .relaxed)
            while begun.load(ordering: .relaxed) < 8 { Spinning.pause() }
            return try InProcessConnection(library: copy)
        }
        #expect(Set(connections.map(\.unit)).count == 8)
    }

    @Test func aUnitRunsInsideTheHostWhenBothConsent() throws {
        let unit = try Build.unit("Probe", inProcess: true)
        #expect(unit.isolation == .inProcess)
        #expect(unit.processIdentifier == nil)
        #expect(unit.parameters == (try Build.unit("Probe")).parameters)
    }

    @Test func withoutThePlugInsConsentItIsNotLoadedIntoTheHost() throws {
        let folder = try TemporaryFolder()
        let component = try folder.component("Fake", script: "exit 0")
        #expect(throws: HostingError.noConsent(unit: "Fake")) { try HostedUnit(component, inProcess: true) }
    }

    @Test func consentWithoutALibraryOrWithOneThatIsNoneIsRefusedWithTheReason() throws {
        let folder = try TemporaryFolder()
        let consent = ["consentsToInProcess": "true"]
        let bare = try folder.component("Bare", script: "exit 0", fields: consent).trusted
        #expect(throws: HostingError.inProcessUnavailable(unit: "Bare", reason: "its bundle holds no library")) {
            try HostedUnit(bare, inProcess: true)
        }
        let fields = consent.merging(["library": "\"run\""]) { $1 }
        let text = try folder.component("Text", script: "exit 0", fields: fields).trusted
        let error = #expect(throws: HostingError.self) { try HostedUnit(text, inProcess: true) }
        #expect("\(try #require(error))".contains("\(text.bundlePath)/run: "))
    }

    @Test func aLibraryFromTheFutureIsRefusedWithBothVersionsNamed() throws {
        let folder = try TemporaryFolder()
        let fields = ["consentsToInProcess": "true", "library": "\"libFuture.so\""]
        let bundle = try folder.bundle("Future", fields: fields)
        try FileManager.default.copyItem(
            atPath: "\(Build.folder)/CExtension/libFromTheFuture.so", toPath: "\(bundle)/libFuture.so")
        let component = try Component(bundlePath: bundle).trusted
        let reason = "its library speaks interface 7 to 9, and this host 1 to 3"
        #expect(throws: HostingError.inProcessUnavailable(unit: "Future", reason: reason)) {
            try HostedUnit(component, inProcess: true)
        }
    }

    @Test func manyStartAtTheSameTime() throws {
        let component = try Build.component("Probe")
        let units = try LinuxSystem.Thread.map(Array(0..<8), name: "start") { _ in try HostedUnit(component) }
        #expect(Set(units.compactMap(\.processIdentifier)).count == 8)
    }

    @Test func aProgramThatEndsAtOnceIsNamedWithItsStatus() throws {
        #expect(try fault(of: "exit 23") == .exited(code: 23))
    }

    @Test func aProgramThatASignalEndsIsNamedWithIt() throws {
        #expect(try fault(of: "kill -SEGV $$") == .signalled(signal: SIGSEGV))
    }

    @Test func aProgramThatSaysNothingRunsIntoTheTimeLimit() throws {
        let before = MonotonicClock.now()
        #expect(try fault(of: Script.silent) == .handshakeTimeout(milliseconds: HostedUnit.handshakeTimeout))
        let waited = Double(MonotonicClock.now() - before) / 1e6
        #expect(waited > Double(HostedUnit.handshakeTimeout) - 1 && waited < Double(HostedUnit.handshakeTimeout) + 1500)
    }

    @Test func aProgramThatAnswersGarbageBreaksTheProtocol() throws {
        #expect(
            try fault(of: Script.answering(Array("Good morning".utf8)))
                == .protocolViolation("a message without the Bulkhead magic"))
        #expect(try fault(of: Script.answering([0x42])) != nil)
        var frame = MessageFrame(kind: 99, serial: 1, body: []).bytes
        #expect(try fault(of: Script.answering(frame)) != nil)
        frame = MessageFrame(kind: 65, serial: 1, body: [UInt8](repeating: 0xFF, count: 512)).bytes
        #expect(try fault(of: Script.answering(frame)) != nil)
    }

    @Test func anAnswerToAnotherQuestionBreaksTheProtocol() throws {
        let message = Self.welcome("aufx:fake:test")
        let frame = MessageFrame(kind: message.kind, serial: 2, body: message.body)
        #expect(try fault(of: Script.answering(frame.bytes)) == .protocolViolation("an answer to question 2, which was 1"))
    }

    @Test func aUnitThatIsNotWhatItsManifestSaysIsRefused() throws {
        let found = try fault(of: Script.answering(Self.welcome("aufx:othr:test")))
        #expect(found == .protocolViolation("its manifest says aufx:fake:test and it says aufx:othr:test"))
        #expect(try fault(of: Script.answering(Self.welcome("aufx:fake:test"))) == nil)
    }

    @Test func aUnitFromTheFutureIsRefusedAndBothVersionsAreNamed() throws {
        let future = VersionRange(minimum: 7, maximum: 9)
        let found = try #require(try fault(of: Script.answering(.versionRefused(future, name: "Fake"))))
        #expect(found == .versionMismatch(plugin: future, host: .own))
        #expect("\(found)" == "speaks version 7 to 9 of the protocol, and this host \(VersionRange.own)")
        let single = VersionRange(minimum: 7, maximum: 7)
        #expect(
            try fault(of: Script.answering(Self.welcome("aufx:fake:test", version: 7)))
                == .versionMismatch(plugin: single, host: .own))
    }

    @Test func aProgramThatCannotBeRunIsNamed() throws {
        let folder = try TemporaryFolder()
        _ = try folder.bundle("Fake")
        try folder.write("\u{7F}ELF and nothing more", to: "Fake.bulkhead/run", isExecutable: true)
        let component = try Component(bundlePath: "\(folder.path)/Fake.bulkhead")
        let error = #expect(throws: HostingError.self) { try HostedUnit(component) }
        guard case .fault("Fake", "start", .notStarted) = try #require(error) else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func aUnitThatDiesAfterTheHandshakeAnswersNoQuestion() throws {
        let unit = try Build.unit("Probe")
        kill(try #require(unit.processIdentifier), SIGKILL)
        #expect(throws: HostingError.fault(unit: "Probe", act: "save the state of", .signalled(signal: SIGKILL))) {
            try unit.saveState()
        }
    }

    @Test func aLateAnswerIsNotTakenForTheNextOne() throws {
        let unit = try Build.unit("Probe")
        let process = try #require(unit.processIdentifier)
        let connection = unit.state.withLock { $0.connection }
        halt(process)
        #expect(throws: PluginFault.unanswered(milliseconds: 50)) {
            try connection.ask(.saveState, descriptors: [], timeoutMilliseconds: 50)
        }
        kill(process, SIGCONT)
        try unit.set("level.gain", to: 0.25)
        #expect(try unit.saveState().values["level.gain"] == 0.25)
    }
}
