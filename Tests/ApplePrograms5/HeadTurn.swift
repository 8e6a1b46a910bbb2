// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A listener whose head turns in a room, written for Apple's systems with the small modules beside AVFoundation.

import AVFoundation
import Combine
import CoreMotion
import ModelIO
import os
import simd

final class HeadTurn: ObservableObject {
    @Published private(set) var transform = matrix_identity_float4x4
    private let headphones = CMHeadphoneMotionManager()
    private let log = Logger(subsystem: "com.example.programs", category: "head")
    private var subscriptions = Set<AnyCancellable>()

    static func run() throws {
        let turn = HeadTurn()
        turn.log.notice("available: \(turn.headphones.isDeviceMotionAvailable)")
        turn.$transform.dropFirst().map { $0.columns.3.x }.sink { print("moves to \($0)") }.store(in: &turn.subscriptions)
        turn.objectWillChange.sink { print("will change") }.store(in: &turn.subscriptions)
        turn.move(to: simd_float3(2, 0, 0))
        turn.follow(poses: 3)
        let nose = simd_mul(turn.transform, simd_float4(0, 0, -1, 0))
        let hundredths = (nose * 100).rounded(.toNearestOrEven)
        print("looks to \(Int(hundredths.x)) \(Int(hundredths.y)) \(Int(hundredths.z))")
        let mesh = MDLMesh.newIcosahedron(withRadius: 0.5, inwardNormals: false, allocator: nil)
        print("\(mesh.vertexCount) corners, \((mesh.submeshes?.firstObject as? MDLSubmesh)?.indexCount ?? 0) indices")
    }

    private func move(to place: simd_float3) {
        var moved = transform
        moved.columns.3 = simd_make_float4(place, 1)
        transform = moved
    }

    /// Waits for poses of the head, and takes the last one.
    private func follow(poses count: Int) {
        let (queue, semaphore) = (OperationQueue(), DispatchSemaphore(value: 0))
        queue.maxConcurrentOperationCount = 1
        headphones.startDeviceMotionUpdates(to: queue) { motion, error in
            if let error { print(error.localizedDescription) }
            if motion != nil { semaphore.signal() }
        }
        guard headphones.isDeviceMotionActive else { return queue.waitUntilAllOperationsAreFinished() }
        for _ in 0..<count { semaphore.wait() }
        guard let attitude = headphones.deviceMotion?.attitude else { return }
        transform = simd_mul(transform, simd_float4x4(simd_quatf(angle: Float(attitude.yaw), axis: simd_float3(0, 1, 0))))
    }
}
