// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Simple bodies: closed, looking outwards, of the right size. Test thread.

import Testing

@testable import ModelIO

@Suite struct ShapeTests {
    /// A body, the volume that it tends to, and half of its extents.
    struct Body: CustomTestStringConvertible {
        let testDescription: String
        let volume: Float
        let half: simd_float3
        /// How far the volume of flat triangles may stay below.
        var loss: Float = 0.01
        let make: @Sendable (_ inwards: Bool) -> MDLMesh
    }

    static let bodies = [
        Body(testDescription: "box", volume: 24, half: simd_float3(1, 1.5, 2), loss: 1e-5) {
            MDLMesh(
                boxWithExtent: [2, 3, 4], segments: [1, 2, 3], inwardNormals: $0, geometryType: .triangles, allocator: nil)
        },
        Body(testDescription: "new box", volume: 6, half: simd_float3(0.5, 1, 1.5), loss: 1e-5) {
            .newBox(
                withDimensions: [1, 2, 3], segments: [1, 1, 1], geometryType: .triangles, inwardNormals: $0,
                allocator: MDLMeshBufferDataAllocator())
        },
        Body(testDescription: "sphere", volume: 4 / 3 * .pi * 6, half: simd_float3(1, 2, 3)) {
            MDLMesh(sphereWithExtent: [1, 2, 3], segments: [64, 32], inwardNormals: $0, geometryType: .triangles, allocator: nil)
        },
        Body(testDescription: "new ellipsoid", volume: 4 / 3 * .pi * 6, half: simd_float3(1, 2, 3)) {
            .newEllipsoid(
                withRadii: [1, 2, 3], radialSegments: 64, verticalSegments: 32, geometryType: .triangles, inwardNormals: $0,
                hemisphere: false, allocator: nil)
        },
        Body(testDescription: "cylinder", volume: .pi * 2, half: simd_float3(1, 1, 1)) {
            MDLMesh(
                cylinderWithExtent: [2, 2, 2], segments: [64, 3], inwardNormals: $0, topCap: true, bottomCap: true,
                geometryType: .triangles, allocator: nil)
        },
        Body(testDescription: "new cylinder", volume: .pi * 2 * 0.5, half: simd_float3(1, 0.25, 2)) {
            .newCylinder(
                withHeight: 0.5, radii: [1, 2], radialSegments: 64, verticalSegments: 1, geometryType: .triangles,
                inwardNormals: $0, allocator: nil)
        },
        Body(testDescription: "cone", volume: .pi * 2 / 3, half: simd_float3(1, 1, 1)) {
            MDLMesh(
                coneWithExtent: [2, 2, 2], segments: [64, 4], inwardNormals: $0, cap: true, geometryType: .triangles,
                allocator: nil)
        },
        Body(testDescription: "new cone", volume: .pi * 6 / 3, half: simd_float3(1, 1.5, 2)) {
            .newEllipticalCone(
                withHeight: 3, radii: [1, 2], radialSegments: 64, verticalSegments: 1, geometryType: .triangles,
                inwardNormals: $0, allocator: nil)
        },
        // A ball of radius 1 and a cylinder of height 3.
        Body(testDescription: "capsule", volume: (4 / 3 + 3) * .pi, half: simd_float3(1, 2.5, 1)) {
            MDLMesh(
                capsuleWithExtent: [2, 5, 2], cylinderSegments: [64, 2], hemisphereSegments: 16, inwardNormals: $0,
                geometryType: .triangles, allocator: nil)
        },
        Body(testDescription: "new capsule without a cylinder", volume: 4 / 3 * .pi, half: simd_float3(1, 1, 1)) {
            .newCapsule(
                withHeight: 2, radii: [1, 1], radialSegments: 64, verticalSegments: 2, hemisphereSegments: 16,
                geometryType: .triangles, inwardNormals: $0, allocator: nil)
        },
        // 5 (3 + √5) / 12 of the cube of an edge, which is 1.05146 for a radius of 1.
        Body(testDescription: "icosahedron", volume: 2.536_15 * 8, half: simd_float3(repeating: 1.701_3), loss: 1e-4) {
            .newIcosahedron(withRadius: 2, inwardNormals: $0, allocator: nil)
        },
    ]

    private func near(_ a: simd_float3, _ b: simd_float3) -> Bool { simd_distance(a, b) < 1e-4 * simd_length(b) + 1e-6 }

    @Test(arguments: bodies)
    func aBodyIsClosedAndHasItsVolumeAndItsExtent(body: Body) throws {
        let surface = try Surface(body.make(false))
        #expect(surface.openEdgeCount == 0 && surface.eulerCharacteristic == 2)
        #expect(surface.volume <= body.volume * 1.0001 && surface.volume >= body.volume * (1 - body.loss), "\(surface.volume)")
        let box = body.make(false).boundingBox
        #expect(near(box.maxBounds, body.half) && near(box.minBounds, -body.half), "\(box)")
    }

    @Test(arguments: bodies)
    func inwardNormalsTurnTheSameBodyInsideOut(body: Body) throws {
        let (outwards, inwards) = (body.make(false), body.make(true))
        #expect(try abs(Surface(inwards).volume + Surface(outwards).volume) < 1e-4 && Surface(inwards).openEdgeCount == 0)
        let pairs = try zip(
            #require(outwards.vectors(MDLVertexAttributeNormal)), #require(inwards.vectors(MDLVertexAttributeNormal)))
        #expect(pairs.allSatisfy { $0 == -$1 } && outwards.positions == inwards.positions)
    }

    @Test(arguments: bodies)
    func normalsLookToTheSideOfTheirTriangles(body: Body) throws {
        let mesh = body.make(false)
        let normals = try #require(mesh.vectors(MDLVertexAttributeNormal))
        let geometry = try mesh.geometry()
        let wrong = geometry.parts.flatMap { $0 }.filter { corners in
            let points = [corners.x, corners.y, corners.z].map { geometry.points[$0] }
            let out = simd_normalize(simd_cross(points[1] - points[0], points[2] - points[0]))
            return [corners.x, corners.y, corners.z].contains { simd_dot(normals[$0], out) < 0.7 }
        }
        #expect(wrong.isEmpty && normals.allSatisfy { abs(simd_length($0) - 1) < 1e-5 })
    }

    @Test func anIcosahedronHasTwelveCornersAndTwentySides() throws {
        let mesh = MDLMesh(icosahedronWithExtent: [1, 1, 1], inwardNormals: false, geometryType: .triangles, allocator: nil)
        #expect(mesh.vertexCount == 12 && (mesh.submeshes?.firstObject as? MDLSubmesh)?.indexCount == 60)
        #expect(try #require(mesh.positions).allSatisfy { abs(simd_length($0) - 1) < 1e-6 })
        let surface = try Surface(mesh)
        let sides = surface.triangles.flatMap {
            [simd_distance($0[0], $0[1]), simd_distance($0[1], $0[2]), simd_distance($0[2], $0[0])]
        }
        #expect(sides.allSatisfy { abs($0 - 1.051_46) < 1e-4 })
    }

    @Test func aBoxHasFlatSidesOfItsPieces() throws {
        let mesh = MDLMesh(
            boxWithExtent: [2, 3, 4], segments: [1, 2, 3], inwardNormals: false, geometryType: .triangles, allocator: nil)
        let surface = try Surface(mesh)
        // Each pair of sides has (columns + 1)(rows + 1) vertices and two triangles a piece.
        #expect(mesh.vertexCount == 2 * (2 * 3 + 3 * 4 + 2 * 4) && abs(surface.area - 52) < 1e-4)
        #expect(surface.triangles.count == 2 * 2 * (2 + 6 + 3))
    }

    @Test func aPlaneLooksUpwardsAndIsOpen() throws {
        for mesh in [
            MDLMesh(planeWithExtent: [2, 0, 4], segments: [2, 3], geometryType: .triangles, allocator: nil),
            MDLMesh.newPlane(withDimensions: [2, 4], segments: [2, 3], geometryType: .triangles, allocator: nil),
        ] {
            let surface = try Surface(mesh)
            #expect(surface.triangles.count == 12 && surface.openEdgeCount == 10 && abs(surface.area - 8) < 1e-5)
            #expect(surface.triangles.allSatisfy { simd_cross($0[1] - $0[0], $0[2] - $0[0]).y > 0 })
            #expect(mesh.boundingBox.maxBounds == [1, 0, 2] && mesh.boundingBox.minBounds == [-1, 0, -2])
        }
    }

    @Test func whatHasNoLidIsOpenThere() throws {
        let half = MDLMesh.newEllipsoid(
            withRadii: [1, 1, 1], radialSegments: 16, verticalSegments: 4, geometryType: .triangles, inwardNormals: false,
            hemisphere: true, allocator: nil)
        #expect(try Surface(half).openEdgeCount == 16 && half.boundingBox.minBounds.y == 0 && half.boundingBox.maxBounds.y == 1)
        let whole = MDLMesh(
            hemisphereWithExtent: [1, 1, 1], segments: [16, 4], inwardNormals: false, cap: true, geometryType: .triangles,
            allocator: nil)
        #expect(try Surface(whole).openEdgeCount == 0)
        let tube = MDLMesh(
            cylinderWithExtent: [1, 1, 1], segments: [8, 1], inwardNormals: false, topCap: false, bottomCap: true,
            geometryType: .triangles, allocator: nil)
        #expect(try Surface(tube).openEdgeCount == 8)
        let cone = MDLMesh(
            coneWithExtent: [1, 1, 1], segments: [8, 1], inwardNormals: false, cap: false, geometryType: .triangles, allocator: nil)
        #expect(try Surface(cone).openEdgeCount == 8)
    }

    @Test func numbersOfPiecesThatCannotBeBecomeOnesThatCan() throws {
        let none = MDLMesh.newEllipsoid(
            withRadii: [1, 1, 1], radialSegments: -5, verticalSegments: 0, geometryType: .triangles, inwardNormals: false,
            hemisphere: false, allocator: nil)
        #expect(try Surface(none).openEdgeCount == 0 && Surface(none).triangles.count == 6)
        let many = MDLMesh.newPlane(withDimensions: [1, 1], segments: [.max, 1], geometryType: .triangles, allocator: nil)
        #expect(try Surface(many).triangles.count == 2 * 1024)
        let flat = MDLMesh(
            sphereWithExtent: .zero, segments: [8, 8], inwardNormals: false, geometryType: .triangles, allocator: nil)
        #expect(
            try Surface(flat).triangles.isEmpty && #require(flat.vectors(MDLVertexAttributeNormal)).allSatisfy { $0.y.isFinite })
    }
}
