// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Edits around units that do not answer: they are heard at once, and the unit when it answers. Test thread.

import FoundationEssentials
import Glibc
import HostingTestSupport
import LinuxSystem
import Rendering
import TestSupport
import Testing

@testable import AudioGraph
@testable import PluginHosting

@Suite(.serialized, .timeLimit(.minutes(5))) struct LateUnitTests {
    /// An engine that plays a constant to a timer, and the level that comes out.
    private final class Scene {
        let engine = AudioEngine(driver: NullDriver(channelCount: 2, quantum: 256, sampleRate: Sounds.rate))
        let source = AudioSourceNode { _, _, output in
            for channel in 0..<output.channelCount { for frame in 0..<output.frameCount { output[channel][frame] = 0.5 } }
        }
        let tap = SampleTap(channelCount: 2, frameCapacity: 5_000_000)
        let ear: AudioRenderNode

        init(policy: UnitPolicy = UnitPolicy()) throws {
            ear = AudioRenderNode(tap, name: "Ear")
            engine.setPolicy(policy)
            engine.attach(source)
            engine.attach(ear)
            try engine.connect(source, to: ear)
            try engine.connect(ear, to: engine.mainMixerNode)
            try engine.start()
        }

        deinit { engine.stop() }

        /// Puts a unit between the source and the ear.
        func insert(_ effect: AudioUnitEffect) throws {
            try engine.edit {
                engine.attach(effect)
                try engine.connect(source, to: effect)
                try engine.connect(effect, to: ear)
            }
        }

        /// True once a level is heard.
        func isHeard(_ level: Float) -> Bool {
            Patience.until {
                let heard = tap.recorded
                return heard.frameCount > 0 && abs(heard[1][heard.frameCount - 1] - level) < 1e-3
            }
        }
    }

    /// A unit that halves the level, whose process has been stopped before it was asked to allocate.
    private func stoppedUnit() throws -> AudioUnitEffect {
        let effect = AudioUnitEffect(PluginUnit(try Build.unit("Gain")))
        try effect.unit.setValue(-6.0206, of: "gain")
        kill(try #require(effect.unit.processIdentifier), SIGSTOP)
        return effect
    }

    /// The faults of a unit but late blocks: a busy machine makes any block late on a thread without a real-time rank.
    private func faults(of effect: AudioUnitEffect) -> [PluginFault] { effect.unit.faults.map(\.fault).filter { $0 != .late } }

    @Test func anEditIsMadeBeforeItsUnitAnswersAndTheUnitIsHeardOnceItDoes() throws {
        let scene = try Scene()
        let effect = try stoppedUnit()
        try scene.insert(effect)
        // It cannot have answered. Its input is heard, and other edits are made.
        #expect(effect.unit.resources?.isPresent == false && effect.unit.faults.isEmpty)
        let mixer = AudioMixerNode()
        try scene.engine.edit {
            scene.engine.attach(mixer)
            try scene.engine.connect(mixer, to: scene.engine.mainMixerNode)
        }
        #expect(scene.isHeard(0.5) && effect.unit.faults.isEmpty)
        kill(try #require(effect.unit.processIdentifier), SIGCONT)
        #expect(scene.isHeard(0.25))
        #expect(faults(of: effect).isEmpty && effect.unit.restartCount == 0)
    }

    @Test func aUnitThatDoesNotAnswerInItsTimeIsToldAndStartedAgain() throws {
        let scene = try Scene()
        let effect = try stoppedUnit()
        let process = try #require(effect.unit.processIdentifier)
        try scene.insert(effect)
        // The new process has not been stopped.
        #expect(scene.isHeard(0.25))
        #expect(faults(of: effect) == [.unanswered(milliseconds: 5000)] && effect.unit.restartCount == 1)
        #expect(effect.unit.processIdentifier != process && kill(process, 0) < 0)
    }

    @Test func aUnitThatNeverAnswersIsPassedByForGood() throws {
        var policy = UnitPolicy()
        policy.failureBudget = 1
        let scene = try Scene(policy: policy)
        let effect = AudioUnitEffect(PluginUnit(try Build.unit("Tremolo not allocating")))
        try scene.insert(effect)
        #expect(Patience.until(within: 40) { effect.unit.isQuarantined })
        #expect(effect.unit.faults.allSatisfy { $0.fault == .unanswered(milliseconds: 5000) } && effect.unit.faults.count > 1)
        #expect(scene.isHeard(0.5))
    }

    @Test func aUnitThatLeavesBeforeItHasAnsweredHoldsNothingUp() throws {
        let scene = try Scene()
        let effect = AudioUnitEffect(PluginUnit(try Build.unit("Tremolo not allocating")))
        try scene.insert(effect)
        scene.engine.detach(effect)
        try scene.engine.connect(scene.source, to: scene.ear)
        #expect(Patience.until { !effect.isOwned(by: scene.engine) })
        // Its time is not over yet.
        #expect(effect.unit.processIdentifier != nil && !effect.unit.hosted.hasDied)
        #expect(scene.isHeard(0.5))
    }

    @Test func aUnitThatKeepsItsResourcesHoldsNothingUp() throws {
        let scene = try Scene()
        let effect = AudioUnitEffect(PluginUnit(try Build.unit("Tremolo not deallocating")))
        try scene.insert(effect)
        #expect(effect.unit.resources?.isPresent == true)
        scene.engine.detach(effect)
        try scene.engine.connect(scene.source, to: scene.ear)
        #expect(Patience.until { !effect.isOwned(by: scene.engine) })
        // The time that it has to answer is not over: it would have been ended.
        #expect(!effect.unit.hosted.hasDied)
        // It cannot have new resources in that process.
        try scene.insert(effect)
        #expect(Patience.until { effect.unit.resources?.isPresent == true })
    }

    /// Takes a unit out, and waits until the engine has let it go.
    private func remove(_ effect: AudioUnitEffect, from scene: Scene) throws {
        try scene.engine.edit {
            scene.engine.detach(effect)
            try scene.engine.connect(scene.source, to: scene.ear)
        }
        #expect(Patience.until { !effect.isOwned(by: scene.engine) })
    }

    /// The descriptors and the threads of this process.
    private func holdings() throws -> (descriptors: Int, threads: Int) {
        func count(_ folder: String) throws -> Int { try FileManager.default.contentsOfDirectory(atPath: folder).count }
        return (try count("/proc/self/fd"), try count("/proc/self/task"))
    }

    @Test func answersMayComeWhileUnitsLeaveAndReturn() throws {
        let scene = try Scene()
        var random = Seed()
        var first: (descriptors: Int, threads: Int)?
        for round in 0..<10 {
            let effect = try stoppedUnit()
            let process = try #require(effect.unit.processIdentifier)
            try scene.insert(effect)
            let pauses = (0..<2).map { _ in UInt32.random(in: 0...20_000, using: &random) }
            let answering = try Thread(name: "answer") {
                Futex.pause(microseconds: pauses[0])
                kill(process, SIGCONT)
            }
            Futex.pause(microseconds: pauses[1])
            let (leaves, returns) = (Bool.random(using: &random), Bool.random(using: &random))
            if leaves { try remove(effect, from: scene) }
            if leaves, returns { try scene.insert(effect) }
            answering.join()
            #expect(scene.isHeard(leaves && !returns ? 0.5 : 0.25), "round \(round): leaves \(leaves), returns \(returns)")
            if !leaves || returns { try remove(effect, from: scene) }
            #expect(!effect.unit.faults.contains { $0.fault == .unanswered(milliseconds: 5000) })
            // The first round starts the threads that stay.
            if first == nil { first = try holdings() }
        }
        let before = try #require(first)
        #expect(
            Patience.until {
                guard let now = try? holdings() else { return false }
                return now.descriptors <= before.descriptors && now.threads <= before.threads
            }, "\(before) before")
    }

    @Test func anEngineMayStopAndGoBeforeAUnitAnswers() throws {
        var scene: Scene? = try Scene()
        let effect = try stoppedUnit()
        let process = try #require(effect.unit.processIdentifier)
        try scene?.insert(effect)
        scene?.engine.stop()
        scene = nil
        kill(process, SIGCONT)
        // It has answered in vain, has given its resources back, and plays elsewhere.
        let other = try Scene()
        #expect(Patience.until { !effect.unit.renderResourcesAllocated })
        try other.insert(effect)
        #expect(other.isHeard(0.25))
        try remove(effect, from: other)
    }
}
