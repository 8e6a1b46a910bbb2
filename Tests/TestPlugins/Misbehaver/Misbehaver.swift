// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A plug-in that goes wrong on request, for tests of the host's reactions. Render thread.

import CFaults
import PluginSDK

/// The faults that can be ordered, in the order of the parameter's values.
enum Fault: Int, CaseIterable {
    case none, exit, crash, kill, loop, sleep, notANumber, allocate, stop, infinite, tooLoud, hoardMemory, hoardDescriptors
    case signal, denormals, leak, forkStorm, threadStorm, busyThreads
}

/// Passes its input on times `gain`, until a fault is due.
///
/// A fault ordered by the parameters is part of the state and comes again after a restart. One ordered by a MIDI controller
/// message (fault, argument) comes once, in the block in which the message lies.
struct Misbehaver: Kernel, ~Copyable {
    static let description = UnitDescription(
        ComponentDescription(.effect, "misb", "test"), name: "Misbehaver", manufacturerName: "Bulkhead Tests",
        version: UnitVersion(1, 0, 0), tags: ["Test"], flags: [.consentsToInProcess, .midiInput])

    static let parameters = ParameterTree(
        Parameter("fault", name: "Fault", address: 1, choices: Fault.allCases.map { "\($0)" }),
        Parameter("block", name: "Block", address: 2, range: 0...1_000_000_000, default: 1, flags: [.integer]),
        Parameter(
            "milliseconds", name: "Milliseconds", address: 3, range: -1...60_000, default: 50, unit: .milliseconds,
            flags: [.integer]),
        Parameter("gain", name: "Gain", address: 4, range: -2...2, default: 1, unit: .linearGain))

    private var fault = Fault.none
    private var dueBlock = 1
    private var milliseconds: Int32 = 50
    private var gain = SmoothedValue(1)
    private var blockCount = 0
    private var ordered = Fault.none
    /// Milliseconds; or the number of a signal.
    private var orderedArgument: Int32 = 0
    /// Invalid audio without end; a reset does not end it.
    private var lasting = Fault.none

    /// Hertz at which the process ends before there is a kernel.
    private static let fatalSampleRate = 77_777.0

    /// The most frames of a block with which a kernel is never made.
    private static let endlessFrameCount = 7777

    init(_ setup: RenderSetup) {
        if setup.sampleRate == Self.fatalSampleRate { CFaults_raise(9) }
        while setup.maximumFrameCount == Self.endlessFrameCount { CFaults_sleep(60_000) }
    }

    @_noLocks mutating func apply(_ change: ParameterChange) {
        switch change.address {
        case 1: fault = Fault(rawValue: Int(change.value)) ?? .none
        case 2: dueBlock = Int(change.value)
        case 3: milliseconds = Int32(change.value)
        default: gain.ramp(to: Float(change.value), over: Int(change.rampFrameCount))
        }
    }

    @_noLocks mutating func handle(_ message: MIDIMessage) {
        guard message[0] == 0xB0 else { return }
        ordered = Fault(rawValue: Int(message[1])) ?? .none
        // For a signal, its number. Otherwise tens of milliseconds, and 127 means without end.
        orderedArgument = ordered == .signal ? Int32(message[2]) : message[2] == 127 ? -1 : Int32(message[2]) * 10
    }

    @_noLocks mutating func render(_ block: RenderBlock) {
        blockCount += 1
        for frame in 0..<block.frameCount {
            let factor = gain.next()
            for channel in 0..<block.output.channelCount {
                block.output[channel][frame] = block.input[channel][frame] * factor
            }
        }
        let once = ordered
        ordered = .none
        if orderedArgument < 0, Self.isAudio(once) { lasting = once }
        commit(once, orderedArgument, block)
        commit(lasting, 0, block)
        if blockCount == dueBlock { commit(fault, milliseconds, block) }
    }

    @_noLocks private static func isAudio(_ fault: Fault) -> Bool {
        switch fault {
        case .notANumber, .infinite, .tooLoud: true
        default: false
        }
    }

    @_noLocks mutating func reset() { gain.jump(to: gain.target) }

    @_noLocks
    private func commit(_ fault: Fault, _ argument: Int32, _ block: RenderBlock) {
        switch fault {
        case .none: break
        case .exit: CFaults_exit(7)
        case .crash: CFaults_crash()
        case .kill: CFaults_raise(9)
        case .loop: CFaults_loop(argument)
        case .sleep: CFaults_sleep(max(0, argument))
        case .notANumber: spoil(block, with: .nan)
        case .infinite: spoil(block, with: -.infinity)
        case .tooLoud: spoil(block, with: 1e30)
        case .allocate: CFaults_allocate()
        case .stop: CFaults_raise(19)
        case .hoardMemory: CFaults_hoardMemory()
        case .hoardDescriptors: CFaults_hoardDescriptors()
        case .signal: CFaults_raise(argument)
        case .denormals: spoil(block, with: .leastNonzeroMagnitude)
        case .leak: CFaults_leakMuch()
        case .forkStorm: CFaults_forkMany()
        case .threadStorm: CFaults_startManyThreads()
        case .busyThreads: CFaults_startBusyThreads()
        }
    }

    @_noLocks
    private func spoil(_ block: RenderBlock, with sample: Float) {
        for channel in 0..<block.output.channelCount {
            for frame in 0..<block.frameCount { block.output[channel][frame] = sample }
        }
    }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { Misbehaver.exported }
