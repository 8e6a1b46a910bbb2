// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Meshes of a program's own vertices, and meshes that cannot be used. Test thread.

import Testing

@testable import ModelIO

@Suite struct MeshTests {
    private let corners: [Float] = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    private let sides: [UInt32] = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]

    private func data<Number>(_ numbers: [Number]) -> Data { numbers.withUnsafeBytes { Data($0) } }

    private func part(
        _ indices: Data, _ count: Int, _ type: MDLIndexBitDepth = .uInt32, _ geometry: MDLGeometryType = .triangles
    ) -> MDLSubmesh {
        MDLSubmesh(
            name: "part", indexBuffer: MDLMeshBufferData(type: .index, data: indices), indexCount: count, indexType: type,
            geometryType: geometry, material: nil)
    }

    private func mesh(_ parts: [MDLSubmesh], _ corners: [Float]? = nil) -> MDLMesh {
        let mesh = MDLMesh(bufferAllocator: MDLMeshBufferDataAllocator())
        mesh.addAttribute(
            withName: MDLVertexAttributePosition, format: .float3, type: MDLVertexAttributePosition,
            data: data(corners ?? self.corners), stride: 12)
        for part in parts { mesh.submeshes?.add(part) }
        return mesh
    }

    @Test func aMeshIsMadeOfAttributesAndParts() throws {
        let mesh = mesh([part(data(sides), 12)])
        #expect(mesh.vertexCount == 4 && mesh.vertexBuffers.count == 1)
        let surface = try Surface(mesh)
        #expect(surface.openEdgeCount == 0 && abs(surface.volume - 1 / 6) < 1e-6)
        #expect(mesh.boundingBox.maxBounds == [1, 1, 1] && mesh.boundingBox.minBounds == .zero)
        mesh.addAttribute(withName: MDLVertexAttributeNormal, format: .float3)
        #expect(mesh.vectors(MDLVertexAttributeNormal) == [.zero, .zero, .zero, .zero] && mesh.vertexBuffers.count == 2)
        #expect(mesh.vertexDescriptor.attributeNamed(MDLVertexAttributeNormal)?.bufferIndex == 1)
    }

    @Test func aMeshIsMadeOfBuffersWithADescription() throws {
        // A number for a colour, then the position.
        let numbers = stride(from: 0, to: 12, by: 3).flatMap { [Float(7)] + corners[$0..<$0 + 3] }
        let descriptor = MDLVertexDescriptor()
        descriptor.attributes[0] = MDLVertexAttribute(name: MDLVertexAttributePosition, format: .float3, offset: 4, bufferIndex: 0)
        descriptor.layouts[0] = MDLVertexBufferLayout(stride: 16)
        let mesh = MDLMesh(
            vertexBuffer: MDLMeshBufferData(type: .vertex, data: data(numbers)), vertexCount: 4, descriptor: descriptor,
            submeshes: [part(data(sides.map(UInt16.init)), 12, .uInt16)])
        #expect(try abs(Surface(mesh).volume - 1 / 6) < 1e-6)
        let position = try #require(mesh.vertexAttributeData(forAttributeNamed: MDLVertexAttributePosition))
        #expect(position.stride == 16 && position.format == .float3 && position.bufferSize == 60)
        #expect(position.dataStart.loadUnaligned(fromByteOffset: 16, as: Float.self) == 1)
        // The program may change the memory.
        position.dataStart.storeBytes(of: -1, toByteOffset: 16, as: Float.self)
        #expect(mesh.boundingBox.minBounds.x == -1)
        let copy = MDLVertexDescriptor(vertexDescriptor: descriptor)
        descriptor.attributeNamed(MDLVertexAttributePosition)?.offset = 8
        #expect(copy.attributeNamed(MDLVertexAttributePosition)?.offset == 4 && copy.stride(ofBuffer: 0) == 16)
    }

    @Test func surfacesOfOtherKindsBecomeTriangles() throws {
        let square: [Float] = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]
        let quads = mesh([part(data([0, 1, 2, 3] as [UInt8]), 4, .uInt8, .quads)], square)
        let strip = mesh([part(data([0, 1, 3, 2] as [UInt16]), 4, .uInt16, .triangleStrips)], square)
        for mesh in [quads, strip] {
            let surface = try Surface(mesh)
            #expect(surface.triangles.count == 2 && abs(surface.area - 1) < 1e-6)
            #expect(surface.triangles.allSatisfy { simd_cross($0[1] - $0[0], $0[2] - $0[0]).z > 0 })
        }
        let two = mesh([part(data([0, 1, 2] as [UInt32]), 3), part(data([0, 2, 3] as [UInt32]), 3)], square)
        #expect(try two.geometry().parts == [[SIMD3(0, 1, 2)], [SIMD3(0, 2, 3)]])
    }

    @Test func aMeshThatCannotBeUsedSaysWhy() {
        func defect(_ mesh: MDLMesh) -> String {
            do throws(MeshDefect) {
                _ = try mesh.geometry()
                return "none"
            } catch { return error.sentence }
        }
        #expect(defect(mesh([part(data([0, 1, 4] as [UInt32]), 3)])).contains("has the index 4, and there are 4 vertices"))
        #expect(defect(mesh([part(data([0, 1, 2] as [UInt32]), 4)])).contains("has 4 indices, and its 12 bytes hold fewer"))
        #expect(defect(mesh([part(data([0, 1, 2] as [UInt32]), -1)])).contains("has -1 indices"))
        #expect(defect(mesh([part(data([0, 1, 2] as [UInt32]), .max)])).contains("hold fewer"))
        #expect(defect(mesh([part(Data(), 0, .invalid)])).contains("has 0 indices"))
        #expect(defect(mesh([part(data([0, 1] as [UInt32]), 2, .uInt32, .lines)])).contains("has no triangles"))
        #expect(defect(mesh([], [0, .nan, 0])).contains("a position that is not a number"))
        #expect(defect(MDLMesh()).contains("has no positions"))
        let short = mesh([part(data(sides), 12)])
        short.vertexCount = 5
        #expect(defect(short).contains("for its 5 vertices") && short.boundingBox.maxBounds == .zero)
        let odd = mesh([])
        odd.vertexDescriptor.attributeNamed(MDLVertexAttributePosition)?.offset = -4
        #expect(defect(odd).contains("has no positions"))
        odd.vertexDescriptor.attributeNamed(MDLVertexAttributePosition)?.offset = 0
        odd.vertexDescriptor.layouts[0] = MDLVertexBufferLayout(stride: -12)
        #expect(defect(odd).contains("has no positions"))
        odd.vertexDescriptor.layouts[0] = MDLVertexBufferLayout(stride: .max)
        #expect(defect(odd).contains("has no positions"))
        odd.vertexDescriptor.attributeNamed(MDLVertexAttributePosition)?.bufferIndex = 9
        #expect(defect(odd).contains("has no positions"))
        let strange = mesh([])
        strange.submeshes?.add("text")
        #expect(defect(strange).contains("no MDLSubmesh"))
    }

    @Test func aBufferTakesBytesWithinItsLength() {
        let buffer = MDLMeshBufferDataAllocator().newBuffer(4, type: .vertex)
        buffer.fill(Data([1, 2, 3, 4, 5, 6]), offset: 2)
        buffer.fill(Data([9]), offset: 4)
        buffer.fill(Data([9]), offset: -1)
        #expect((buffer as? MDLMeshBufferData)?.data == Data([0, 0, 1, 2]) && buffer.length == 4 && buffer.type == .vertex)
        #expect((buffer.allocator.newBuffer(with: Data([7]), type: .index) as? MDLMeshBufferData)?.data == Data([7]))
        // The memory lives as long as the access to it.
        let map = MDLMeshBufferData(type: .index, data: Data([3, 4])).map()
        withExtendedLifetime(map) { #expect(map.bytes.load(fromByteOffset: 1, as: UInt8.self) == 4) }
        #expect(MDLMeshBufferData(type: .index, data: nil).data.isEmpty)
        #expect(MDLMeshBufferData(type: .index, length: -3).length == 0)
    }

    @Test func materialsHaveNames() {
        let material = MDLMaterial(name: "brick", scatteringFunction: MDLPhysicallyPlausibleScatteringFunction())
        let part = MDLSubmesh(
            indexBuffer: MDLMeshBufferData(type: .index, length: 0), indexCount: 0, indexType: .uInt32, geometryType: .triangles,
            material: material)
        #expect(part.material?.name == "brick" && part.name.isEmpty)
    }
}
