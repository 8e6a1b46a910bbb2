// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Holds what renders a pull stream, behind one class. Render thread, but for setting it.

import AudioGraph
import Realtime
import Rendering
import Synchronization

/// Calls the program's block or generator: the compiler cannot check generic code with `@_noLocks`.
final class StreamRenderer: @unchecked Sendable {
    // SAFETY: `box` changes before the start alone, under the lock of the running events; the render thread reads it afterwards.
    private(set) var box: StreamBox?

    func set(_ box: StreamBox) { self.box = box }

    /// The function of a `StreamCore`, whose context is a renderer.
    static let function: RenderNode.Function = { context, argument in
        guard let context, let argument else { return }
        let call = UnsafeMutableRawPointer(mutating: argument).assumingMemoryBound(to: PullCall.self)
        // This way counts no references.
        Unmanaged<StreamRenderer>.fromOpaque(context)._withUnsafeGuaranteedRef { renderer in
            call.pointee.isSilent = renderer.box?.render(call.pointee.output, at: call.pointee.time) ?? true
        }
    }
}

/// Renders blocks of a stream; returns true for silence.
class StreamBox: @unchecked Sendable {
    // SAFETY: only the render thread calls `render`.
    func render(_ output: AudioBlock, at time: Int64) -> Bool { true }
}

/// Holds a closure of the program, which the compiler does not check.
final class StreamClosure: StreamBox, @unchecked Sendable {
    // SAFETY: as for the base; the program promises that its closure may be called there.
    private let body: AudioSourceNode.RenderBlock

    init(_ body: @escaping AudioSourceNode.RenderBlock) { self.body = body }

    override func render(_ output: AudioBlock, at time: Int64) -> Bool {
        var isSilent = false
        body(&isSilent, time, output)
        return isSilent
    }
}

/// Holds a generator of one type, at a fixed address.
final class StreamGenerator<Generator: AudioGenerator & Sendable & ~Copyable>: StreamBox, @unchecked Sendable {
    // SAFETY: as for the base.
    private let generator: UnsafeMutablePointer<Generator>

    init(_ made: consuming Generator) {
        generator = .allocate(capacity: 1)
        generator.initialize(to: made)
    }

    deinit {
        generator.deinitialize(count: 1)
        generator.deallocate()
    }

    override func render(_ output: AudioBlock, at time: Int64) -> Bool { generator.pointee.render(output, at: time) }
}
