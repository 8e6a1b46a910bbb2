// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Poses from a file and from a head tracker, by way of a manager. Test thread, the threads of the poses, and queues.

import Foundation
import OpenSoundControl
import Synchronization
import TestSupport
import Testing

@testable import CoreMotion

@Suite(.serialized) struct HeadphoneMotionTests {
    private let folder = ScratchFolder()
    private let manager = CMHeadphoneMotionManager()
    private let queue = OperationQueue()

    init() {
        queue.maxConcurrentOperationCount = 1
        CMHeadphoneMotionManager.headPoseSource = nil
    }

    /// The poses that came, and a signal for each.
    private final class Heard: Sendable {
        let yaws = Mutex<[Double]>([])
        let errors = Mutex<[String]>([])
        let signal = DispatchSemaphore(value: 0)

        func take(_ motion: CMDeviceMotion?, _ error: (any Error)?) {
            if let motion { yaws.withLock { $0.append(motion.attitude.yaw * 180 / .pi) } }
            if let error { errors.withLock { $0.append(error.localizedDescription) } }
            signal.signal()
        }
    }

    private final class Delegate: NSObject, CMHeadphoneMotionManagerDelegate {
        let words = Mutex<[String]>([])
        func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) { words.withLock { $0.append("in") } }
        func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) { words.withLock { $0.append("out") } }
    }

    @Test func nothingIsAvailableUntilASourceIsNamed() {
        let heard = Heard()
        #expect(!manager.isDeviceMotionAvailable && !manager.isDeviceMotionActive && manager.deviceMotion == nil)
        manager.startDeviceMotionUpdates(to: queue) { heard.take($0, $1) }
        queue.waitUntilAllOperationsAreFinished()
        #expect(heard.errors.withLock { $0 } == ["\(HeadPoseFault.noSource)"] && !manager.isDeviceMotionActive)
        #expect(CMHeadphoneMotionManager.authorizationStatus() == .authorized)
    }

    @Test func posesOfAFileComeInTheirTimeAndTheLastOneStays() throws {
        _ = folder.write("turn.txt", Array("0 0 0 0\n0.05 90 0 0\n".utf8))
        CMHeadphoneMotionManager.headPoseSource = .file(path: folder.file("turn.txt"))
        let (heard, delegate) = (Heard(), Delegate())
        manager.delegate = delegate
        #expect(manager.isDeviceMotionAvailable)
        manager.startDeviceMotionUpdates(to: queue) { heard.take($0, $1) }
        #expect(manager.isDeviceMotionActive)
        for _ in 0..<4 { heard.signal.wait() }
        // At 0, 20, 40 and 50 ms; to the right is to the left's other side.
        let yaws = heard.yaws.withLock { $0 }
        #expect(zip(yaws, [0, -36, -72, -90]).allSatisfy { abs($0 - $1) < 1e-6 } && yaws.count == 4, "\(yaws)")
        #expect(abs((manager.deviceMotion?.attitude.yaw ?? 0) + .pi / 2) < 1e-9)
        #expect((manager.deviceMotion?.timestamp ?? 0) > 0)
        // A second manager that comes later gets the present pose at once.
        let other = CMHeadphoneMotionManager()
        other.startDeviceMotionUpdates()
        #expect(other.deviceMotion != nil)
        other.stopDeviceMotionUpdates()
        #expect(other.deviceMotion == nil && !other.isDeviceMotionActive)
        CMHeadphoneMotionManager.headPoseSource = nil
        queue.waitUntilAllOperationsAreFinished()
        #expect(delegate.words.withLock { $0 } == ["in", "out"] && !manager.isDeviceMotionActive)
    }

    @Test(arguments: [("0 0 0 0\n1 0 0\n", "line 2: it has 3 numbers"), (nil, "nowhere.txt\": ")] as [(String?, String)])
    func aFileThatCannotBeUsedIsNamedWithTheReason(text: String?, reason: String) {
        let path = folder.file(text == nil ? "nowhere.txt" : "turn.txt")
        if let text { _ = folder.write("turn.txt", Array(text.utf8)) }
        CMHeadphoneMotionManager.headPoseSource = .file(path: path)
        let heard = Heard()
        #expect(!manager.isDeviceMotionAvailable)
        manager.startDeviceMotionUpdates(to: queue) { heard.take($0, $1) }
        queue.waitUntilAllOperationsAreFinished()
        let errors = heard.errors.withLock { $0 }
        #expect(errors.count == 1 && errors[0].contains(reason) && heard.yaws.withLock { $0.isEmpty }, "\(errors)")
    }

    @Test func posesOfAHeadTrackerComeAsItSendsThem() throws {
        CMHeadphoneMotionManager.headPoseSource = .tracker(port: 0)
        let heard = Heard()
        manager.startDeviceMotionUpdates(to: queue) { heard.take($0, $1) }
        let port = try #require(try HeadPoses.feed().port)
        let tracker = try OSCSocket("127.0.0.1", port: 0)
        func send(_ bytes: [UInt8]) {
            var name = sockaddr_in()
            (name.sin_family, name.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
            inet_pton(AF_INET, "127.0.0.1", &name.sin_addr)
            OSCSocket.send(bytes, to: OSCPeer(address: withUnsafeBytes(of: &name) { Array($0) }, socket: tracker.descriptor))
        }
        // Other messages are ignored.
        send([1, 2, 3])
        send(OSCMessage("/battery", .float(0.5)).bytes)
        send(OSCMessage("/ypr", .float(.nan), .float(0), .float(0)).bytes)
        send(OSCMessage("/quaternion", .float(0), .float(0), .float(0), .float(0)).bytes)
        send(OSCMessage("/ypr", .float(30), .float(0), .float(0)).bytes)
        heard.signal.wait()
        // A quarter turn to the right is one to the left around the axis that points upwards, so its part is negative.
        send(OSCMessage("/head/quaternion", .float(1), .float(0), .float(-1), .float(0)).bytes)
        heard.signal.wait()
        let yaws = heard.yaws.withLock { $0 }
        #expect(zip(yaws, [-30, -90]).allSatisfy { abs($0 - $1) < 1e-3 } && yaws.count == 2, "\(yaws)")
        manager.stopDeviceMotionUpdates()
        #expect(manager.deviceMotion == nil && manager.isDeviceMotionAvailable)
    }

    @Test func theEnvironmentNamesATrackerOrAFile() {
        #expect(CMHeadPoseSource("osc:9000") == .tracker(port: 9000))
        #expect(CMHeadPoseSource("/tmp/turn.txt") == .file(path: "/tmp/turn.txt"))
        #expect(CMHeadPoseSource("osc:70000") == .file(path: "osc:70000"))
    }
}
