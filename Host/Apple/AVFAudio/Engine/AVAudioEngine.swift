// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The engine by the names of Apple's systems; its edits do not throw. Any thread but the render thread.

import AudioGraph
import Foundation

/// A graph of audio nodes that plays to PipeWire, or is rendered manually.
public typealias AVAudioEngine = AudioEngine
/// A node and one of its buses.
public typealias AVAudioConnectionPoint = AudioConnectionPoint
/// The choice between manual rendering with and without deadlines.
public typealias AVAudioEngineManualRenderingMode = AudioEngineManualRenderingMode
/// The result of manual rendering.
public typealias AVAudioEngineManualRenderingStatus = AudioEngineManualRenderingStatus
/// A failure of an engine.
public typealias AVAudioEngineError = AudioEngineError

extension AudioEngine {
    /// Attaches a node.
    ///
    /// An error here, and in the edits below, is written to standard error, and thrown by the next `start()`.
    public func attach(_ node: AudioNode) { log { () throws(AudioEngineError) in try attach(node).get() } }

    /// The attached nodes.
    public var attachedNodes: Set<AVAudioNode> { Set(allNodes) }

    /// Disconnects a node and detaches it.
    public func detach(_ node: AudioNode) { log { () throws(AudioEngineError) in try detach(node).get() } }

    /// Connects bus 0 of a node to bus 0 of another one, or to the first free input bus of a mixer.
    public func connect(_ source: AudioNode, to destination: AudioNode, format: AudioFormat?) {
        keep { () throws(AudioEngineError) in try connect(source, to: destination, format: format?.standard) as EditTicket }
    }

    /// Connects two buses.
    public func connect(
        _ source: AudioNode, to destination: AudioNode, fromBus: AVAudioNodeBus, toBus: AVAudioNodeBus, format: AudioFormat?
    ) {
        keep { () throws(AudioEngineError) in
            try connect(source, to: destination, fromBus: fromBus, toBus: toBus, format: format?.standard) as EditTicket
        }
    }

    /// Connects an output bus to several input buses, in place of its earlier connections.
    public func connect(
        _ source: AudioNode, to destinations: [AudioConnectionPoint], fromBus: AVAudioNodeBus, format: AudioFormat?
    ) {
        keep { () throws(AudioEngineError) in
            try connect(source, to: destinations, fromBus: fromBus, format: format?.standard) as EditTicket
        }
    }

    /// Disconnects all input buses of a node.
    public func disconnectNodeInput(_ node: AudioNode) {
        log { () throws(AudioEngineError) in try disconnectNodeInput(node, bus: nil).get() }
    }

    /// Disconnects one input bus of a node.
    public func disconnectNodeInput(_ node: AudioNode, bus: AVAudioNodeBus) {
        log { () throws(AudioEngineError) in try disconnectNodeInput(node, bus: Optional(bus)).get() }
    }

    /// Disconnects all output buses of a node.
    public func disconnectNodeOutput(_ node: AudioNode) {
        log { () throws(AudioEngineError) in try disconnectNodeOutput(node, bus: nil).get() }
    }

    /// Disconnects one output bus of a node.
    public func disconnectNodeOutput(_ node: AudioNode, bus: AVAudioNodeBus) {
        log { () throws(AudioEngineError) in try disconnectNodeOutput(node, bus: Optional(bus)).get() }
    }

    /// Allocates the render resources that `start()` needs.
    public func prepare() { keep { () throws(AudioEngineError) in try takeRenderResources() } }

    /// Always false: the engine does not stop the device when nothing plays.
    public var isAutoShutdownEnabled: Bool {
        get { false }
        set {
            if newValue {
                AVFAudioLog.write("AVAudioEngine.isAutoShutdownEnabled has no effect here: the device runs until stop().")
            }
        }
    }

    /// Keeps an error of a call for the next `start()`, and logs it.
    func keep<Success>(_ body: () throws(AudioEngineError) -> Success) {
        do throws(AudioEngineError) {
            _ = try body()
        } catch {
            keep(error)
            AVFAudioLog.write(error)
        }
    }

    /// Logs an error of a call, which the engine itself has kept.
    private func log(_ body: () throws(AudioEngineError) -> EditTicket) {
        do throws(AudioEngineError) { _ = try body() } catch { AVFAudioLog.write(error) }
    }
}

extension AudioConnectionPoint {
    /// The node.
    public weak var node: AudioNode? { owner }
    /// The bus; 0 if none was given.
    public var bus: AVAudioNodeBus { number ?? 0 }
}

/// Reports errors of calls that do not throw on Apple's systems, on standard error.
enum AVFAudioLog {
    static func write(_ error: AudioEngineError) { write(error.description) }

    static func write(_ line: String) { FileHandle.standardError.write(Data("AVFAudio: \(line)\n".utf8)) }
}
