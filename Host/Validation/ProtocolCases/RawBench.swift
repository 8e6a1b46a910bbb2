// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit in its own process, hosted by the case without an engine and a supervisor. Thread of the case.

import AudioUnits
import CWireLayout
import Confinement
import ControlMessages
import LinuxSystem
import PluginHosting
import RawHosting
import Wire

/// One unit with render resources, for requests that are written by hand.
final class RawBench {
    /// The frames of each block.
    static let frameCount = 512
    private static let eventCapacity = 2048

    let trial: Trial
    let child: ChildProcess
    let welcome: Welcome
    let unit: HandWiredUnit
    let wires: HandWiredUnit.Wires
    /// The id of the render thread in the unit's process.
    let renderThread: Int32
    private var writer: EventRingWriter
    /// The sample time of the next block.
    private(set) var sampleTime: Int64 = 0

    /// Starts a unit of the trial's component, calls `prepare`, and gives the unit resources.
    init(_ trial: Trial, prepare: (HandWiredUnit, Welcome) throws -> Void = { _, _ in }) throws(CaseEnd) {
        self.trial = trial
        let process = try trial.attempt { () throws(HostingError) in try trial.component.startProcess() }
        child = process.child
        (unit, welcome, wires, renderThread) = try trial.attemptByHand(process.child) {
            let welcome = try Self.greet(process, trial.component)
            let unit = try HandWiredUnit(process.channel, of: process.child, shape: Self.shape(of: welcome.description))
            try prepare(unit, welcome)
            let wires = try HandWiredUnit.Wires(layout: unit.shape.inputLayout)
            return (unit, welcome, wires, try unit.allocate(wires))
        }
        writer = unit.region.hostToPluginWriter()
    }

    private static func greet(_ process: ExtensionProcess, _ component: Component) throws -> Welcome {
        // The shape of the unit's memory follows from its answer.
        let answer = try HandWiredUnit(process.channel).ask(.hello(.own, hostName: "Validation", locator: component.locator))
        guard case .welcome(let welcome) = answer else { throw HandWiredUnit.Failure.unexpected("\(answer)") }
        return welcome
    }

    /// The first equal channel counts that the unit supports, or otherwise the preferred ones.
    private static func shape(of description: UnitDescription) -> HandWiredShape {
        func formats(_ buses: [Bus], _ count: Int?) -> [BusFormat] {
            buses.enumerated().map { index, bus in
                let wanted = index == 0 ? count ?? bus.defaultFormat.channelCount : bus.defaultFormat.channelCount
                return BusFormat(channelCount: index > 0 && bus.isOptional ? 0 : wanted)
            }
        }
        let preferred = description.outputs.first?.defaultFormat.channelCount ?? 2
        let count = [preferred, 2, 1, 4, 6, 8].first { count in
            let check = Result { () throws(UnitError) in
                try description.checkFormats(
                    inputs: formats(description.inputs, count), outputs: formats(description.outputs, count))
            }
            return (try? check.get()) != nil
        }
        var shape = HandWiredShape()
        (shape.inputs, shape.outputs) = (formats(description.inputs, count), formats(description.outputs, count))
        (shape.maximumFrameCount, shape.frameCount, shape.eventCapacity) = (frameCount, frameCount, eventCapacity)
        return shape
    }
}

// MARK: - Messages

extension RawBench {
    /// Sends a message and returns the answer.
    func ask(_ message: HostMessage) throws(CaseEnd) -> PluginMessage {
        try trial.attemptByHand(child) { try unit.ask(message) }
    }

    /// The value of a parameter in the unit's state.
    func value(_ keyPath: String) throws(CaseEnd) -> Double? {
        switch try ask(.saveState) {
        case .state(let state): return state.values[keyPath]
        case .refused(let reason): throw .notApplicable("It refuses to save its state: \(reason).")
        default: throw .failed("It doesn't answer `saveState` with a state.")
        }
    }
}

// MARK: - Requests

extension RawBench {
    /// Writes an event into the ring; no request includes it yet.
    func write(_ event: WireEvent) throws(CaseEnd) {
        guard writer.write(event) else { throw .failed("It takes no events out of its ring.") }
    }

    /// The number of events in the ring that the unit has not taken.
    var waitingEventCount: Int { Self.eventCapacity - writer.freeCount() }

    /// Makes the unit render one block, and requires an answer.
    func render(events: Int = 0, _ change: (inout WireRequest) -> Void = { _ in }) throws(CaseEnd) {
        publish(events: events, change)
        unit.grant(at: wires.doorbell)
        try requireAnswer()
    }

    /// Publishes the next block without granting it.
    func publish(events: Int = 0, _ change: (inout WireRequest) -> Void = { _ in }) {
        let time = sampleTime
        unit.publish { request in
            request.sampleTime = time
            request.eventCount = UInt32(events)
            request.flags = UInt32(CWireLayout_requestOffline)
            (request.tempo, request.timeSignatureNumerator, request.timeSignatureDenominator) = (120, 4, 4)
            request.inputSlots.0 = UInt8(request.sequence % UInt64(HandWiredShape.slotCount))
            change(&request)
        }
        sampleTime += Int64(Self.frameCount)
    }

    /// Waits until the newest request is answered.
    func requireAnswer() throws(CaseEnd) {
        guard !unit.isAnswered() else { return }
        if let end = child.poll() { throw CaseEnd(ended: end, trial) }
        throw .hung("It did not answer request \(unit.sequence) within 5 s, while \(trial.activity.current).")
    }

    /// The reply to the newest request.
    var reply: WireReply { unit.region.reply(unit.sequence).pointee }

    /// Renders a sound block by block from the next sample time on, and returns the first output bus.
    func render(_ sound: Sound, flags: Int = 0) throws(CaseEnd) -> Sound {
        let channelCount = unit.shape.outputs.first?.channelCount ?? 0
        var result = Sound(channelCount: channelCount, frameCount: 0)
        for start in stride(from: 0, to: sound.frameCount, by: Self.frameCount) {
            fillInput(sound, from: start)
            try render { $0.flags |= UInt32(flags) }
            if reply.status == 3 { throw .notApplicable("It says that it cannot render, while \(trial.activity.current).") }
            guard reply.status == 0 else {
                throw .failed("It answered a request with status \(reply.status), while \(trial.activity.current).")
            }
            for channel in 0..<channelCount {
                result.channels[channel] += UnsafeBufferPointer(start: unit.channel(channel), count: Self.frameCount)
            }
        }
        return result
    }

    /// Copies a block of a sound to the input of the next request.
    private func fillInput(_ sound: Sound, from start: Int) {
        let layout = unit.shape.inputLayout
        let slot = Int((unit.sequence + 1) % UInt64(HandWiredShape.slotCount))
        let samples = wires.input.base.assumingMemoryBound(to: Float.self)
        for channel in 0..<min(layout.channelCount, sound.channelCount) {
            let block = samples + layout.sampleOffset(slot: slot, channel: channel)
            for frame in 0..<Self.frameCount {
                block[frame] = start + frame < sound.frameCount ? sound.channels[channel][start + frame] : 0
            }
        }
    }
}

// MARK: - Errors

extension CaseEnd {
    /// Describes the end of a unit's process.
    init(ended end: ProcessEnd, _ trial: Trial) {
        switch end {
        case .exited(let code): self = .crashed("It exited with status \(code), while \(trial.activity.current).")
        case .signalled(let signal): self = .crashed("Signal \(signal) ended it, while \(trial.activity.current).")
        }
    }
}

extension Trial {
    /// Runs steps of the protocol with a unit, and converts their errors.
    func attemptByHand<Value>(_ child: ChildProcess, _ body: () throws -> Value) throws(CaseEnd) -> Value {
        do {
            return try body()
        } catch let error as ControlChannelError {
            switch error {
            case .hungUp:
                throw child.wait(milliseconds: 1000).map { CaseEnd(ended: $0, self) }
                    ?? .failed("It hung up, while \(activity.current).")
            case .timedOut(let milliseconds):
                throw .hung("It did not answer a message within \(milliseconds) ms, while \(activity.current).")
            case .violation(let violation): throw .failed("It sent \(violation), while \(activity.current).")
            case .system(let error): throw .failed("\(error)")
            }
        } catch {
            throw .failed("\(error), while \(activity.current).")
        }
    }
}
