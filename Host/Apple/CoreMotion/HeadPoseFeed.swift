// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The poses of one source, handed to all who listen. A thread of its own.

import AudioFormats
import AudioGraph
import GraphDocuments
import LinuxSystem
import OpenSoundControl
import Printing
import Spatial
import Synchronization

/// The poses of one source.
final class HeadPoseFeed: Sendable {
    private enum Content {
        case tracker(OSCSockets)
        /// The turns, by ticks of `ticksPerSecond`, and their end.
        case file(SpatialTurn, end: Int64)
    }

    private struct State {
        var listeners: [ObjectIdentifier: @Sendable (HeadDirections?) -> Void] = [:]
        var latest: HeadDirections?
        var isRunning = false
        var isEnding = false
    }

    static let (ticksPerSecond, ticksPerPose): (Int64, Int64) = (10_000, 200)

    private let content: Content
    private let wakeUp: EventDescriptor
    private let state = Mutex(State())

    /// Opens a source; its time begins with the first listener.
    init(_ source: CMHeadPoseSource) throws(HeadPoseFault) {
        content = try Self.content(of: source)
        do throws(SystemError) { wakeUp = try EventDescriptor() } catch { throw HeadPoseFault("\(error)") }
    }

    private static func content(of source: CMHeadPoseSource) throws(HeadPoseFault) -> Content {
        switch source {
        case .tracker(let port):
            do throws(SystemError) { return .tracker(try OSCSockets(port: port)) } catch { throw HeadPoseFault("\(error)") }
        case .file(let path):
            let rows: [HeadPoseFile.Row]
            do throws(HeadPoseFile.Defect) {
                rows = try HeadPoseFile(path: path).rows
            } catch {
                throw refusal(path, (error.line.map { "line \($0): " } ?? "") + error.reason)
            }
            guard let turns = turns(rows) else { throw refusal(path, "its rows are not in the order of their times") }
            return turns
        }
    }

    private static func refusal(_ path: String, _ reason: String) -> HeadPoseFault {
        HeadPoseFault("No head poses come from \"\(PrintableText.cleaned(path))\": \(reason).")
    }

    /// The turns of a file, whose rows are a millisecond apart, so that no two fall on one tick.
    private static func turns(_ rows: [HeadPoseFile.Row]) -> Content? {
        let points = rows.map { row in
            SpatialTurn.Point(
                frame: Int64(Int(nearestFrame: row.seconds * Double(ticksPerSecond))), axes: HeadAxes(row.orientation.angles))
        }
        guard let turn = SpatialTurn(points), let end = points.last?.frame else { return nil }
        return .file(turn, end: end)
    }

    /// The port of the tracker; nil for a file.
    var port: UInt16? {
        if case .tracker(let sockets) = content { sockets.port } else { nil }
    }

    /// Hands all poses to a listener, and the latest one at once; nil stands for the end.
    ///
    /// The first call starts the thread.
    func add(
        _ key: ObjectIdentifier, _ listener: @escaping @Sendable (HeadDirections?) -> Void
    ) throws(HeadPoseFault) {
        let (latest, isFirst) = state.withLock { state in
            defer { state.isRunning = true }
            state.listeners[key] = listener
            return (state.latest, !state.isRunning)
        }
        if let latest { listener(latest) }
        guard isFirst else { return }
        do throws(SystemError) {
            try Thread(name: "head poses") { self.run() }.detach()
        } catch {
            state.withLock { $0.isRunning = false }
            throw HeadPoseFault("\(error)")
        }
    }

    /// Forgets a listener.
    func remove(_ key: ObjectIdentifier) { state.withLock { _ = $0.listeners.removeValue(forKey: key) } }

    /// Ends the poses.
    func end() {
        let listeners = state.withLock { state in
            defer { (state.listeners, state.latest, state.isEnding) = ([:], nil, true) }
            return Array(state.listeners.values)
        }
        wakeUp.ring()
        for listener in listeners { listener(nil) }
    }

    private var isEnding: Bool { state.withLock { $0.isEnding } }

    private func hand(_ head: HeadDirections) {
        let listeners = state.withLock { state in
            state.latest = head
            return Array(state.listeners.values)
        }
        for listener in listeners { listener(head) }
    }
}

// MARK: The thread

extension HeadPoseFeed {
    private func run() {
        switch content {
        case .tracker(let sockets): listen(to: sockets)
        case .file(let turn, let end): play(turn, until: end)
        }
    }

    private func listen(to sockets: OSCSockets) {
        var memory = [UInt8](repeating: 0, count: OSCPacket.mostBytes + 1)
        while !isEnding {
            Descriptor.awaitAny([wakeUp.descriptor] + sockets.sockets.map(\.descriptor), nanoseconds: nil)
            for socket in sockets.sockets {
                while !isEnding, let (bytes, _) = socket.receive(into: &memory) { take(bytes) }
            }
        }
    }

    /// Hands on the poses of a datagram; another one is ignored.
    private func take(_ bytes: [UInt8]) {
        guard let packet = try? OSCPacket(bytes) else { return }
        for (_, message) in packet.messages where message.isHeadPose {
            guard let numbers = message.finiteNumbers, let angles = Self.angles(numbers) else { continue }
            hand(HeadDirections(HeadAxes(angles)))
        }
    }

    private static func angles(_ numbers: [Double]) -> HeadAngles? {
        guard numbers.count == 4 else { return HeadAngles(yaw: numbers[0], pitch: numbers[1], roll: numbers[2]) }
        return Audio3DAngularOrientation(w: numbers[0], x: numbers[1], y: numbers[2], z: numbers[3])?.angles
    }

    /// Hands on a pose each fiftieth of a second, and the last one at its time.
    private func play(_ turn: SpatialTurn, until end: Int64) {
        let start = MonotonicClock.now()
        var tick: Int64 = 0
        while !isEnding {
            hand(HeadDirections(turn.axes(at: Double(tick))))
            guard tick < end else { return }
            tick = min(end, tick + Self.ticksPerPose)
            let due = start + UInt64(tick) * (1_000_000_000 / UInt64(Self.ticksPerSecond))
            while !isEnding, case let now = MonotonicClock.now(), now < due {
                Descriptor.awaitAny([wakeUp.descriptor], nanoseconds: due - now)
            }
        }
    }
}

extension Audio3DAngularOrientation {
    fileprivate var angles: HeadAngles { HeadAngles(yaw: Double(yaw), pitch: Double(pitch), roll: Double(roll)) }
}
