// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Hands the poses of a head to a program. Any thread.

import Foundation
import LinuxSystem

/// Hands the poses of a head to a program.
///
/// Nothing is available until `headPoseSource` or BULKHEAD_HEAD_POSES names a head tracker or a file.
open class CMHeadphoneMotionManager: NSObject, @unchecked Sendable {
    // SAFETY: the lock guards the state. The handler goes to the queue that the program has chosen for it.
    private var state = State()
    private let lock = NSLock()

    /// Takes a pose, or the reason why none comes.
    public typealias DeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void

    private struct State {
        weak var delegate: (any CMHeadphoneMotionManagerDelegate)?
        var motion: CMDeviceMotion?
        var feed: HeadPoseFeed?
        var queue: OperationQueue?
        var handler: DeviceMotionHandler?
        var isConnected = false
    }

    private func withState<Result>(_ body: (inout State) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&state)
    }

    /// Makes a manager without updates.
    public override init() {}

    deinit { state.feed?.remove(ObjectIdentifier(self)) }

    /// The permission to use motion: always given.
    public class func authorizationStatus() -> CMAuthorizationStatus { .authorized }

    /// Hears when poses begin and end.
    open var delegate: (any CMHeadphoneMotionManagerDelegate)? {
        get { withState { $0.delegate } }
        set { withState { $0.delegate = newValue } }
    }

    /// True if a source of poses is named and can be opened; a handler hears the reason if not.
    open var isDeviceMotionAvailable: Bool { (try? HeadPoses.feed()) != nil }

    /// True between the start and the stop of updates.
    open var isDeviceMotionActive: Bool { withState { $0.feed != nil } }

    /// The latest pose; nil before the first one, and without updates.
    open var deviceMotion: CMDeviceMotion? { withState { $0.motion } }

    /// Begins updates of `deviceMotion`.
    open func startDeviceMotionUpdates() { start(nil, nil) }

    /// Begins updates, and calls a handler on a queue for each pose; or once with an error, if no pose can come.
    open func startDeviceMotionUpdates(to queue: OperationQueue, withHandler handler: @escaping DeviceMotionHandler) {
        start(queue, handler)
    }

    /// Ends updates.
    open func stopDeviceMotionUpdates() {
        let feed = withState { state in
            defer { state = State(delegate: state.delegate) }
            return state.feed
        }
        feed?.remove(ObjectIdentifier(self))
    }

    private func start(_ queue: OperationQueue?, _ handler: DeviceMotionHandler?) {
        stopDeviceMotionUpdates()
        do throws(HeadPoseFault) {
            let feed = try HeadPoses.feed()
            withState { ($0.feed, $0.queue, $0.handler) = (feed, queue, handler) }
            try feed.add(ObjectIdentifier(self)) { [weak self] in self?.take($0) }
        } catch {
            withState { $0.feed = nil }
            call(on: queue) { handler?(nil, error.error) }
        }
    }

    /// Takes a pose; nil stands for the end of all poses.
    private func take(_ head: HeadDirections?) {
        let motion = head.map { CMDeviceMotion($0, timestamp: Double(MonotonicClock.now()) * 1e-9) }
        let former = withState { state in
            let former = state
            if former.feed != nil { (state.motion, state.isConnected) = (motion, motion != nil) }
            if motion == nil { state.feed = nil }
            return former
        }
        guard former.feed != nil else { return }
        call(on: former.queue) { [self] in
            if motion != nil, !former.isConnected { former.delegate?.headphoneMotionManagerDidConnect(self) }
            if motion == nil, former.isConnected { former.delegate?.headphoneMotionManagerDidDisconnect(self) }
            if let motion { former.handler?(motion, nil) }
        }
    }

    private func call(on queue: OperationQueue?, _ action: @escaping () -> Void) {
        // SAFETY: the program has chosen the queue for its handler and its delegate.
        nonisolated(unsafe) let action = action
        (queue ?? .main).addOperation { action() }
    }
}
