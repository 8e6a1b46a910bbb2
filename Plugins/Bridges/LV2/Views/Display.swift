// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The pictures that a unit's present instances draw of themselves. Control thread and the view's thread.

import CLV2Shims
import PluginSDK
import Synchronization

/// What the instances have drawn.
enum DisplayResult {
    ///
    /// At least one of them has drawn.
    case pictures([Result<PixelPicture, PictureDefect>])
    /// There is no instance, which is made with the render resources.
    case noInstance
    /// The instances are being saved, restored or activated at present.
    case busy
    /// There is no picture; a sentence says why.
    case nothing(String)
}

/// Draws a unit's present instances, which come and go with the render resources.
final class Display: Sendable {
    /// Closed while the instances draw, and while nothing may be drawn; the render thread enters it to activate them again.
    let gate = RenderGate()

    /// What is needed of an instance, which nobody keeps alive by it.
    private struct Shown: @unchecked Sendable {
        // SAFETY: the control thread hides the instance before it ends it.
        let handle: UnsafeMutableRawPointer
        let requests: OpaquePointer
        let interface: CLV2Shims_DisplayInterface?
        /// The channels that it hears, as a word.
        let name: String
    }

    /// What is drawn next, and the instance that draws now.
    private struct Turn {
        var shown: [Shown] = []
        var drawing: Shown?
    }

    private let turn = Mutex(Turn())
    private let count = Atomic<Int>(0)
    /// The calls of the control thread that wait for a picture, or go on beside one that does not end: no other one is begun.
    private let pauseCount = Atomic<Int>(0)

    /// How long the control thread waits for a picture, in milliseconds, and the view for the control thread.
    private static let (patience, viewPatience) = (1000, 20)

    deinit { gate.destroy() }

    // MARK: The control thread

    /// Has active instances drawn, each with the name of what it hears.
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

    /// Has instances never drawn again; false if they do not finish their pictures in time.
    ///
    /// The pictures may end later: what belongs to the instances must stay then.
    func hide(_ instances: [Instance]) -> Bool {
        let handles = Set(instances.map(\.handle))
        let isDrawing = turn.withLock { turn in
            turn.shown.removeAll { handles.contains($0.handle) }
            return turn.drawing.map { handles.contains($0.handle) } ?? false
        }
        return !isDrawing || pausing { $0 }
    }

    /// Does something beside which nothing is drawn; a plug-in that hangs while it draws is not waited for.
    func paused<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        try pausing { (_) throws(Failure) in try body() }
    }

    /// The same; the body hears whether nothing is drawn indeed.
    private func pausing<Value, Failure: Error>(_ body: (Bool) throws(Failure) -> Value) throws(Failure) -> Value {
        // Relaxed, and a fence: a picture that is begun after this thread has last looked at the gate is begun by a thread that sees
        // the count. Its fence is in `mayDraw`.
        pauseCount.wrappingAdd(1, ordering: .relaxed)
        defer { pauseCount.wrappingSubtract(1, ordering: .releasing) }
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        let isClosed = gate.closeOrGiveUp(milliseconds: Self.patience)
        defer { if isClosed { gate.open() } }
        return try body(isClosed)
    }

    // MARK: The view's thread

    /// Counts how often instances came so far.
    var instanceCount: Int { count.load(ordering: .acquiring) }

    /// What the present instances hear, as a word for each.
    var names: [String] { turn.withLock { $0.shown.map(\.name) } }

    /// Whether an instance has asked to be drawn since the last call.
    func takeRequest() -> Bool {
        // The lock keeps the instances from their end meanwhile. Each one's request is taken.
        turn.withLock { turn in turn.shown.count { CLV2Shims_takeDraw($0.requests) } > 0 }
    }

    /// Draws a picture of each instance, or of the first few, of so many pixels at most.
    ///
    /// The gate opens between two pictures. So another thread waits for one picture at most.
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

    /// Whether no other thread wants the gate, so that a picture may begin.
    private func mayDraw() -> Bool {
        // The gate is closed before the count is looked at; the control thread does it the other way round.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        // Acquire: what the control thread did beside a picture is seen by the next one.
        return pauseCount.load(ordering: .acquiring) == 0 && !gate.takeWish()
    }

    /// The instance that draws next; nil if it is not one of the present instances any more.
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
