// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The pictures of a unit's present instances. Control thread and the view's thread.

import CLV2Shims
import PluginSDK
import Synchronization

/// The result of drawing the instances.
enum DisplayResult {
    ///
    /// At least one of them has drawn.
    case pictures([Result<PixelPicture, PictureDefect>])
    /// There is no instance; instances are made with the render resources.
    case noInstance
    /// The instances are being saved, restored or activated.
    case busy
    /// There is no picture; a sentence gives the reason.
    case nothing(String)
}

/// Draws a unit's present instances, which exist only with render resources.
final class Display: Sendable {
    /// Closed while the instances draw, and while drawing is forbidden; the render thread enters it to activate them again.
    let gate = RenderGate()

    /// The needed parts of an instance, which do not keep it alive.
    private struct Shown: @unchecked Sendable {
        // SAFETY: the control thread hides the instance before it ends it.
        let handle: UnsafeMutableRawPointer
        let requests: OpaquePointer
        let interface: CLV2Shims_DisplayInterface?
        /// The channels of the instance, as a word.
        let name: String
    }

    /// The next instances to draw, and the one that draws now.
    private struct Turn {
        var shown: [Shown] = []
        var drawing: Shown?
    }

    private let turn = Mutex(Turn())
    private let count = Atomic<Int>(0)
    /// The number of the control thread's calls that wait for a picture, or run beside one that hangs: no other picture is
    /// begun.
    private let pauseCount = Atomic<Int>(0)

    /// The milliseconds that the control thread waits for a picture, and the view for the control thread.
    private static let (patience, viewPatience) = (1000, 20)

    deinit { gate.destroy() }

    // MARK: The control thread

    /// Allows drawing of active instances, each with the name of its channels.
    func show(_ instances: [(Instance, String)]) {
        let shown = instances.compactMap { instance, name in
            instance.display.map {
                Shown(handle: instance.handle, requests: $0, interface: instance.displayInterface, name: name)
            }
        }
        guard !shown.isEmpty else { return }
        turn.withLock { $0.shown = shown }
        count.wrappingAdd(1, ordering: .releasing)
    }

    /// Forbids drawing of instances for ever; false if they do not finish their pictures in time.
    ///
    /// In that case the pictures may end later, and the memory of the instances must stay.
    func hide(_ instances: [Instance]) -> Bool {
        let handles = Set(instances.map(\.handle))
        let isDrawing = turn.withLock { turn in
            turn.shown.removeAll { handles.contains($0.handle) }
            return turn.drawing.map { handles.contains($0.handle) } ?? false
        }
        return !isDrawing || pausing { $0 }
    }

    /// Runs a body without drawing beside it; a plug-in that hangs while it draws is not waited for.
    func paused<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        try pausing { (_) throws(Failure) in try body() }
    }

    /// The same; the body learns whether nothing is really drawn.
    private func pausing<Value, Failure: Error>(_ body: (Bool) throws(Failure) -> Value) throws(Failure) -> Value {
        // Relaxed, and a fence: if a picture begins after this thread's last look at the gate, the beginning thread sees the
        // count. Its fence is in `mayDraw`.
        pauseCount.wrappingAdd(1, ordering: .relaxed)
        defer { pauseCount.wrappingSubtract(1, ordering: .releasing) }
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        let isClosed = gate.closeOrGiveUp(milliseconds: Self.patience)
        defer { if isClosed { gate.open() } }
        return try body(isClosed)
    }

    // MARK: The view's thread

    /// Counts the arrivals of instances.
    var instanceCount: Int { count.load(ordering: .acquiring) }

    /// The channels of the present instances, as a word for each.
    var names: [String] { turn.withLock { $0.shown.map(\.name) } }

    /// True if an instance has asked to be drawn since the last call.
    func takeRequest() -> Bool {
        // The lock keeps the instances alive meanwhile. Each request is taken.
        turn.withLock { turn in turn.shown.count { CLV2Shims_takeDraw($0.requests) } > 0 }
    }

    /// Draws a picture of each instance, or of the first `pictureCount`, with at most `width` by `height` pixels.
    ///
    /// The gate opens between two pictures, so another thread waits for at most one picture.
    func draw(width: Int, height: Int, atMost pictureCount: Int) -> DisplayResult {
        let handles = turn.withLock { $0.shown }.prefix(pictureCount).map(\.handle)
        guard !handles.isEmpty else { return .noInstance }
        var pictures: [Result<PixelPicture, PictureDefect>] = []
        for index in handles.indices {
            guard gate.close(milliseconds: Self.viewPatience) else { return .busy }
            defer { gate.open() }
            guard mayDraw(), let shown = beginDrawing(index, of: handles) else { return .busy }
            defer { turn.withLock { $0.drawing = nil } }
            _ = CLV2Shims_takeDraw(shown.requests)
            pictures.append(Self.picture(of: shown, width: width, height: height).map { $0.limited(toOneOf: handles.count) })
        }
        let defects = pictures.compactMap(\.defect)
        if let first = defects.first, defects.count == pictures.count { return .nothing(first.sentence) }
        return .pictures(pictures)
    }

    /// True if no other thread waits for the gate, so that a picture may begin.
    private func mayDraw() -> Bool {
        // The gate is closed before the count is read; the control thread uses the opposite order.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        // Acquire: the next picture sees the control thread's changes beside the last one.
        return pauseCount.load(ordering: .acquiring) == 0 && !gate.takeWish()
    }

    /// The instance that draws next; nil if it is gone.
    private func beginDrawing(_ index: Int, of handles: [UnsafeMutableRawPointer]) -> Shown? {
        turn.withLock { turn in
            guard turn.shown.prefix(handles.count).map(\.handle) == handles else { return nil }
            turn.drawing = turn.shown[index]
            return turn.drawing
        }
    }

    private static func picture(of shown: Shown, width: Int, height: Int) -> Result<PixelPicture, PictureDefect> {
        guard let render = shown.interface?.render else {
            return .failure(PictureDefect(sentence: "It does not draw the picture that it promises."))
        }
        guard let picture = render(shown.handle, UInt32(width), UInt32(height)) else {
            return .failure(PictureDefect(sentence: "It draws nothing at present."))
        }
        return Result { () throws(PictureDefect) in try PixelPicture(checking: picture.pointee) }
    }
}
