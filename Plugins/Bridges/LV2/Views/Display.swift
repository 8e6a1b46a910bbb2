// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The picture that a unit's present instance draws of itself. Control thread and the view's thread.

import CLV2Shims
import PluginSDK
import Synchronization

/// What an instance has drawn.
enum DisplayResult {
    case picture(PixelPicture)
    /// There is no instance, which is made with the render resources.
    case noInstance
    /// The instance is being saved, restored or activated at present.
    case busy
    /// There is no picture; a sentence says why.
    case nothing(String)
}

/// Draws a unit's present instance, which comes and goes with the render resources.
final class Display: @unchecked Sendable {
    // SAFETY: one thread at a time uses the unit, and `stuckDrawing` with it: the control thread, or the one that renews the unit.
    // The rest is a gate, a lock and atomics.
    /// Closed while the instance draws, and while nothing may be drawn; the render thread enters it to activate an instance again.
    let gate = RenderGate()

    /// What is needed of an instance, which nobody keeps alive by it.
    private struct Shown: @unchecked Sendable {
        // SAFETY: the control thread hides the instance before it ends it.
        let handle: UnsafeMutableRawPointer
        let requests: OpaquePointer
        let interface: CLV2Shims_DisplayInterface?
    }

    /// What is drawn next, and the instance that draws now.
    private struct Turn {
        var shown: Shown?
        var drawing: Shown?
    }

    private let turn = Mutex(Turn())
    /// The picture that was not waited for to its end, by its number.
    private var stuckDrawing: Int?
    private let drawingCount = Atomic<Int>(0)
    private let count = Atomic<Int>(0)

    /// How long the control thread waits for a picture, in milliseconds, and the view for the control thread.
    private static let (patience, viewPatience) = (1000, 20)

    deinit { gate.destroy() }

    // MARK: The control thread

    /// Has an active instance drawn.
    func show(_ instance: Instance) {
        guard let requests = instance.display else { return }
        let new = Shown(handle: instance.handle, requests: requests, interface: instance.displayInterface)
        turn.withLock { $0.shown = new }
        count.wrappingAdd(1, ordering: .releasing)
    }

    /// Has an instance never drawn again; false if it does not finish its picture in time.
    ///
    /// The picture may end later: what belongs to the instance must stay then.
    func hide(_ instance: Instance) -> Bool {
        let handle = instance.handle
        let isDrawing = turn.withLock { turn in
            if turn.shown?.handle == handle { turn.shown = nil }
            return turn.drawing?.handle == handle
        }
        guard isDrawing else { return true }
        guard close() else { return false }
        gate.open()
        return true
    }

    /// Does something beside which nothing is drawn; a plug-in that hangs while it draws is not waited for.
    func paused<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        let isClosed = close()
        defer { if isClosed { gate.open() } }
        return try body()
    }

    private func close() -> Bool {
        // A picture that did not end in time once is not waited for again.
        let isStuck = stuckDrawing == drawingCount.load(ordering: .relaxed)
        let isClosed = gate.close(milliseconds: isStuck ? 1 : Self.patience)
        stuckDrawing = isClosed ? nil : drawingCount.load(ordering: .relaxed)
        return isClosed
    }

    // MARK: The view's thread

    /// Counts the instances so far.
    var instanceCount: Int { count.load(ordering: .acquiring) }

    /// Whether the instance has asked to be drawn since the last call.
    func takeRequest() -> Bool {
        // The lock keeps the instance from its end meanwhile.
        turn.withLock { turn in turn.shown.map { CLV2Shims_takeDraw($0.requests) } ?? false }
    }

    /// Draws a picture of so many pixels at most.
    func draw(width: Int, height: Int) -> DisplayResult {
        guard gate.close(milliseconds: Self.viewPatience) else { return .busy }
        defer { gate.open() }
        // The instance waits for this gap between two pictures to be activated.
        guard !gate.takeWish() else { return .busy }
        guard let shown = beginDrawing() else { return .noInstance }
        defer { turn.withLock { $0.drawing = nil } }
        guard let render = shown.interface?.render else { return .nothing("It does not draw the picture that it promises.") }
        _ = CLV2Shims_takeDraw(shown.requests)
        guard let picture = render(shown.handle, UInt32(width), UInt32(height)) else {
            return .nothing("It draws nothing at present.")
        }
        return PixelPicture.checking(picture.pointee)
    }

    private func beginDrawing() -> Shown? {
        drawingCount.wrappingAdd(1, ordering: .relaxed)
        return turn.withLock { turn in
            turn.drawing = turn.shown
            return turn.shown
        }
    }
}
