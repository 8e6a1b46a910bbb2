// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Rendering by hand: the program asks for each block, offline or on its own real-time thread. The thread that renders.

import LinuxSystem
import Realtime
import Rendering
import Synchronization

/// The two ways of rendering by hand: without deadlines and with them.
public enum AudioEngineManualRenderingMode: Int, Sendable {
    /// Renders as fast as possible; units get the time that they need.
    case offline
    /// Renders on a real-time thread of the program; late units are replaced by their fallback.
    case realtime
}

/// The outcome of rendering by hand.
public enum AudioEngineManualRenderingStatus: Int, Sendable {
    /// Never returned: errors are thrown.
    case error = -1
    /// All frames were rendered.
    case success
    /// The input block had too few frames; nothing was rendered.
    case insufficientDataFromInputNode
    /// Another thread renders at present; nothing was rendered.
    case cannotDoInCurrentContext
}

/// The state of an engine that is rendered by hand.
final class ManualRendering: @unchecked Sendable {
    // SAFETY: the engine's flag lets one thread at a time render; the time is atomic.
    /// Writes all frames of the input and returns true, or returns false.
    typealias InputBlock = @Sendable (_ input: AudioBlock) -> Bool

    let format: AudioFormat
    let maximumFrameCount: Int
    let isOffline: Bool
    private let time = Atomic<Int64>(0)
    private let input: Mutex<Input> = Mutex(Input())
    private let output: Mutex<Output>

    private struct Output {
        var memory: Memory
        /// The channels of the buses behind the main output.
        var furtherChannelCount = 0
    }

    private final class Memory: @unchecked Sendable {
        // SAFETY: only the thread that renders uses it.
        let buffer: AudioBuffer
        init(_ buffer: consuming AudioBuffer) { self.buffer = buffer }
    }

    private struct Input {
        var block: InputBlock?
        var memory: Memory?
        /// The channels of the main input, and of the buses behind it.
        var mainChannelCount = 0, furtherChannelCount = 0

        mutating func allocate(_ frameCapacity: Int) {
            let channelCount = mainChannelCount + furtherChannelCount
            memory = block == nil ? nil : Memory(AudioBuffer(channelCount: channelCount, frameCapacity: frameCapacity))
        }
    }

    init(format: AudioFormat, maximumFrameCount: Int, isOffline: Bool) {
        self.format = format
        self.maximumFrameCount = maximumFrameCount
        self.isOffline = isOffline
        output = Mutex(
            Output(memory: Memory(AudioBuffer(channelCount: format.channelCount, frameCapacity: maximumFrameCount))))
    }

    var sampleTime: Int64 { time.load(ordering: .relaxed) }

    func rewind() { time.store(0, ordering: .relaxed) }

    func setInput(channelCount: Int, _ block: @escaping InputBlock) {
        input.withLock { input in
            (input.block, input.mainChannelCount) = (block, channelCount)
            input.allocate(maximumFrameCount)
        }
    }

    /// The number of channels of the input's further buses; changes only while nothing renders.
    var furtherChannelCount: Int {
        get { input.withLock { $0.furtherChannelCount } }
        set {
            input.withLock { input in
                input.furtherChannelCount = newValue
                input.allocate(maximumFrameCount)
            }
        }
    }

    /// The number of channels of the output's further buses; changes only while nothing renders.
    var furtherOutputCount: Int {
        get { output.withLock { $0.furtherChannelCount } }
        set {
            let memory = Memory(AudioBuffer(channelCount: format.channelCount + newValue, frameCapacity: maximumFrameCount))
            output.withLock { $0 = Output(memory: memory, furtherChannelCount: newValue) }
        }
    }

    /// Renders into a buffer; false if the input has too few frames.
    func render(_ frameCount: Int, _ player: PlanPlayer, into buffer: AudioPCMBuffer) -> Bool {
        let (source, memory, furtherCount) = input.withLock { ($0.block, $0.memory, $0.furtherChannelCount) }
        let (room, furtherOutputCount) = output.withLock { ($0.memory, $0.furtherChannelCount) }
        let silence = AudioBlock(channels: room.buffer.block(frameCount: 0).channels, channelCount: 0, frameCount: frameCount)
        let inputs = memory.map { $0.buffer.block(frameCount: frameCount) } ?? silence
        if let source, !source(inputs) { return false }
        let now = time.load(ordering: .relaxed)
        let outputs = room.buffer.block(frameCount: frameCount)
        var cycle = RenderCycle(
            sampleTime: now, hostTime: MonotonicClock.now(), sampleRate: format.sampleRate, transport: Transport(),
            isOffline: isOffline, inputs: inputs, outputs: outputs)
        cycle.furtherInputCount = memory == nil ? 0 : furtherCount
        cycle.furtherOutputCount = furtherOutputCount
        player.render(cycle)
        time.store(now + Int64(frameCount), ordering: .relaxed)
        buffer.frameLength = frameCount
        guard buffer.format.isStandard else {
            let count = min(outputs.channelCount, buffer.format.channelCount)
            buffer.write(AudioBlock(channels: outputs.channels, channelCount: count, frameCount: frameCount), at: 0)
            return true
        }
        let block = buffer.samples
        if block.channelCount > outputs.channelCount { block.silence() }
        block.copy(from: outputs)
        return true
    }
}

extension AudioEngine {
    /// Lets the program render by hand, in blocks of at most `maximumFrameCount` frames, in place of a driver.
    ///
    /// Throws `wrongState` unless the engine is stopped, and `impossibleFormat`.
    public func enableManualRenderingMode(
        _ mode: AudioEngineManualRenderingMode, format: AudioFormat, maximumFrameCount: Int
    ) throws(AudioEngineError) {
        guard (1...255).contains(format.channelCount), format.sampleRate.isFinite, (1...1e7).contains(format.sampleRate) else {
            throw .impossibleFormat(node: NamedNode("Output"), format)
        }
        guard (1...Self.longestCycle).contains(maximumFrameCount) else {
            throw .tooManyFrames(maximumFrameCount, maximum: Self.longestCycle)
        }
        try editLock.withLock { () throws(AudioEngineError) in
            try state.withLock { state throws(AudioEngineError) in
                guard state.phase == .stopped else {
                    throw .wrongState(act: "turn manual rendering on", state: state.phase.rawValue)
                }
                if case .manual = state.mode {} else { state.drivenMode = state.mode }
                let manual = ManualRendering(format: format, maximumFrameCount: maximumFrameCount, isOffline: mode == .offline)
                manual.furtherChannelCount = state.graph.inputNode?.furtherBuses.reduce(0) { $0 + $1.channelCount } ?? 0
                manual.furtherOutputCount = state.graph.outputNode?.furtherBuses.reduce(0) { $0 + $1.channelCount } ?? 0
                state.mode = .manual(manual)
            }
        }
    }

    /// Lets the driver render the engine again.
    ///
    /// Does nothing but keep the error unless the engine is stopped.
    public func disableManualRenderingMode() {
        editLock.withLock {
            let error = state.withLock { state -> AudioEngineError? in
                guard case .manual = state.mode else { return nil }
                guard state.phase == .stopped else {
                    return .wrongState(act: "turn manual rendering off", state: state.phase.rawValue)
                }
                state.mode = state.drivenMode
                return nil
            }
            if let error { keep(error) }
        }
    }

    /// True if the engine is rendered by hand.
    public var isInManualRenderingMode: Bool { manual != nil }

    /// The mode of rendering by hand; `offline` if the engine is not rendered by hand.
    public var manualRenderingMode: AudioEngineManualRenderingMode { manual?.isOffline ?? true ? .offline : .realtime }

    /// The format of rendering by hand; the output's if the engine is not rendered by hand.
    public var manualRenderingFormat: AudioFormat { manual?.format ?? format }

    /// The largest number of frames of one call; 0 if the engine is not rendered by hand.
    @_disfavoredOverload public var manualRenderingMaximumFrameCount: Int { manual?.maximumFrameCount ?? 0 }

    /// The same, for modules in which another property has this name.
    package var longestManualRendering: Int { manualRenderingMaximumFrameCount }

    /// The number of frames rendered by hand since the last `reset`.
    public var manualRenderingSampleTime: Int64 { manual?.sampleTime ?? 0 }

    private var manual: ManualRendering? {
        state.withLock { if case .manual(let manual) = $0.mode { manual } else { nil } }
    }

    /// Renders the next frames into a buffer, and sets its length to `frameCount`.
    ///
    /// `[render]` in real-time mode; but this call also finishes edits made meanwhile. The channels of the output's further buses follow
    /// the main ones, if the buffer has channels for them. Throws `tooManyFrames`. Throws `wrongState` if the engine is not rendered by
    /// hand or does not run.
    @discardableResult
    public func renderOffline(
        _ frameCount: Int, to buffer: AudioPCMBuffer
    ) throws(AudioEngineError) -> AudioEngineManualRenderingStatus {
        try renderOffline(frameCount, to: buffer, makesPlans: true)
    }

    /// Renders as above; without `makesPlans` the caller calls `makePlans` when plans change for other reasons than edits.
    @discardableResult
    package func renderOffline(
        _ frameCount: Int, to buffer: AudioPCMBuffer, makesPlans: Bool
    ) throws(AudioEngineError) -> AudioEngineManualRenderingStatus {
        guard let manual else { throw .wrongState(act: "render by hand", state: "not in manual mode") }
        let most = min(manual.maximumFrameCount, buffer.frameCapacity)
        guard (0...most).contains(frameCount) else { throw .tooManyFrames(frameCount, maximum: most) }
        let (isFree, _) = renderingThread.compareExchange(
            expected: 0, desired: Scheduling.currentThread, ordering: .acquiringAndReleasing)
        guard isFree else { return .cannotDoInCurrentContext }
        // From here on no thread can stop the engine.
        guard let player = state.withLock({ $0.phase == .running ? $0.playing?.player : nil }) else {
            renderingThread.store(0, ordering: .releasing)
            throw .wrongState(act: "render by hand", state: "not running")
        }
        let isComplete = manual.render(frameCount, player, into: buffer)
        renderingThread.store(0, ordering: .releasing)
        attend(makesPlans: makesPlans)
        return isComplete ? .success : .insufficientDataFromInputNode
    }
}

extension AudioInputNode {
    /// Sets the block that supplies the engine's input when it is rendered by hand.
    ///
    /// The block writes every frame and returns true, or it returns false and nothing is rendered. The channels of further buses follow
    /// those of the format. Returns false if the engine is not in manual mode, or renders at another rate; `start` throws the latter.
    @discardableResult
    public func setManualRenderingInputPCMFormat(
        _ format: AudioFormat, inputBlock: @escaping @Sendable (_ input: AudioBlock) -> Bool
    ) -> Bool {
        guard let engine, case .manual(let manual) = engine.state.withLock({ $0.mode }), (1...255).contains(format.channelCount)
        else { return false }
        guard format.sampleRate == manual.format.sampleRate else {
            let reason = "the engine is rendered at \(manual.format.sampleRate) Hz"
            engine.keep(.formatRefused(node: NamedNode(self), bus: 0, format, reason: reason))
            return false
        }
        manual.setInput(channelCount: format.channelCount, inputBlock)
        engine.state.withLock { $0.graph.setFormat(format, ofOutput: 0, self) }
        return true
    }
}
