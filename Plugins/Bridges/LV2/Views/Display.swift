// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The pictures that a unit's present instances draw of themselves. Control thread and the view's thread.

import CLV2Shims
import PluginSDK
import Synchronization

/// What the instances have drawn.
enum DisplayResult {
    case pictures([PixelPicture])
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

    /// What is drawn next, and the instances that draw now.
    private struct Turn {
        var shown: [Shown] = []
        var drawing: [Shown] = []
    }

    private let turn = Mutex(Turn())
    private let count = Atomic<Int>(0)

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
            return turn.drawing.contains { handles.contains($0.handle) }
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
        gate.closeOrGiveUp(milliseconds: Self.patience)
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
    func draw(width: Int, height: Int, atMost pictureCount: Int) -> DisplayResult {
        guard gate.close(milliseconds: Self.viewPatience) else { return .busy }
        defer { gate.open() }
        let drawn = beginDrawing(pictureCount)
        defer { turn.withLock { $0.drawing = [] } }
        guard !drawn.isEmpty else { return .noInstance }
        var pictures: [PixelPicture] = []
        for shown in drawn {
            // The instances wait for this gap between two pictures to be activated.
            guard !gate.takeWish() else { return .busy }
            guard let render = shown.interface?.render else { return .nothing("It does not draw the picture that it promises.") }
            _ = CLV2Shims_takeDraw(shown.requests)
            guard let picture = render(shown.handle, UInt32(width), UInt32(height)) else {
                return .nothing("It draws nothing at present.")
            }
            do throws(PictureDefect) {
                pictures.append(try PixelPicture(checking: picture.pointee))
            } catch {
                return .nothing(error.sentence)
            }
        }
        return .pictures(pictures)
    }

    private func beginDrawing(_ pictureCount: Int) -> [Shown] {
        turn.withLock { turn in
            turn.drawing = Array(turn.shown.prefix(pictureCount))
            return turn.drawing
        }
    }
}
