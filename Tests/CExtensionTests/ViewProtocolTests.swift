// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the protocol says of views, step by step, in an extension in C and in one in Swift. Test thread.

import AudioUnits
import CWireLayout
import Cells
import Confinement
import ControlMessages
import Glibc
import HostingTestSupport
import LinuxSystem
import PluginHosting
import RawHosting
import TestSupport
import Testing
import ViewChannel

@Suite(.serialized) struct ViewProtocolTests {
    private let size = ViewSize(columnCount: 40, rowCount: 10)

    private func start(_ name: String) throws -> (HandWiredUnit, ChildProcess) {
        let component = name == "Filter" ? try Build.component(name) : try CExtension.component(name)
        let (near, far) = try ControlSocket.pair()
        let process = try ChildProcess(path: component.executablePath, arguments: [], environment: [:], control: far)
        let unit = try HandWiredUnit(near, of: process)
        _ = try unit.greet()
        return (unit, process)
    }

    @Test(arguments: ["Tremolo", "Filter"]) func aFurtherViewTakesThePlaceOfTheFormer(name: String) throws {
        let (unit, _) = try start(name)
        let first = try HandWiredView(of: unit, size: size)
        #expect(first.waits(milliseconds: 3000) { $0.shows(size) && $0.notices.contains(.drawn) })
        let second = try HandWiredView(of: unit, size: size)
        #expect(first.waits(milliseconds: 3000, until: \.isHungUp))
        #expect(second.waits(milliseconds: 3000) { $0.shows(size) })
        second.hangUp()
        let third = try HandWiredView(of: unit, size: size)
        third.tell(.look(9))
        #expect(third.waits(milliseconds: 3000) { $0.shows(size) && $0.notices.contains(.here(9)) })
    }

    /// A host may copy what differs alone.
    @Test(arguments: ["Tremolo", "Filter"]) func theDamageHoldsAllThatDiffersAndTheGenerationCountsByTwo(name: String) throws {
        let (unit, _) = try start(name)
        let view = try HandWiredView(of: unit, size: size)
        func header() -> CWireLayout_ViewHeader { view.memory.memory.base.load(as: CWireLayout_ViewHeader.self) }
        #expect(view.waits(milliseconds: 3000) { $0.shows(size) })
        #expect(header().generation == 2 && header().damageColumnCount == 40 && header().damageRowCount == 10)
        var smallest = 400
        for step in 1...10 {
            let former = try #require(view.picture)
            view.tell(.value(address: name == "Filter" ? 1 : 7002, Double(step)))
            #expect(view.waits(milliseconds: 3000) { $0.picture != former })
            let (picture, now) = (try #require(view.picture), header())
            #expect(now.generation == UInt32(2 + 2 * step))
            let columns = Int(now.damageColumn)..<Int(now.damageColumn) + Int(now.damageColumnCount)
            let rows = Int(now.damageRow)..<Int(now.damageRow) + Int(now.damageRowCount)
            for column in 0..<40 {
                for row in 0..<10 where picture[column, row] != former[column, row] {
                    #expect(columns.contains(column) && rows.contains(row), "\(column), \(row)")
                }
            }
            smallest = min(smallest, columns.count * rows.count)
        }
        #expect(smallest < 400)
        view.tell(.size(ViewSize(columnCount: 20, rowCount: 20), colorCount: 256))
        #expect(view.waits(milliseconds: 3000) { $0.shows(ViewSize(columnCount: 20, rowCount: 20)) })
        #expect(header().damageColumnCount == 20 && header().damageRowCount == 20)
    }

    @Test(arguments: ["Tremolo", "Filter"]) func aViewThatHasClosedLeavesNothingBehind(name: String) throws {
        let (unit, process) = try start(name)
        func descriptors() -> Int { (try? FileCount.entries("/proc/\(process.identifier)/fd")) ?? -1 }
        func open() throws {
            let view = try HandWiredView(of: unit, size: size)
            #expect(view.waits(milliseconds: 3000) { $0.shows(size) })
        }
        for _ in 0..<5 { try open() }
        let before = descriptors()
        for _ in 0..<50 { try open() }
        #expect(before > 0)
        // The last one may be closing now.
        #expect(waitUntil(milliseconds: 3000) { descriptors() <= before }, "\(before), then \(descriptors())")
    }

    @Test(arguments: ["Tremolo", "Filter"]) func datagramsThatMeanNothingArePassedOver(name: String) throws {
        let (unit, process) = try start(name)
        let view = try HandWiredView(of: unit, size: size)
        #expect(view.waits(milliseconds: 3000) { $0.shows(size) })
        var random = Seed()
        for count in [1, 31, 33, 64, 4000] { view.send([UInt8](repeating: 1, count: count)) }
        for kind in UInt16(0)...80 where kind != UInt16(CWireLayout_viewSize) {
            var bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
            (bytes[0], bytes[1]) = (UInt8(kind), 0)
            view.send(bytes)
        }
        // Sizes for which there is no room, and none at all.
        for (columns, rows) in [(0, 0), (0, 5), (65_535, 65_535), (131_072, 1), (200, 200)] {
            view.tell(.size(ViewSize(columnCount: columns, rowCount: rows), colorCount: 0))
        }
        view.tell(.look(77))
        #expect(view.waits(milliseconds: 3000) { $0.notices.contains(.here(77)) })
        #expect(view.impossibleSize == nil && process.wait(milliseconds: 0) == nil)
        // It draws as before.
        let address = UInt64(name == "Filter" ? 0 : 7001)
        view.tell(.value(address: address, 15))
        let former = try #require(view.picture)
        view.tell(.value(address: address, 19))
        #expect(view.waits(milliseconds: 3000) { $0.picture != former && $0.shows(size) })
        view.tell(.size(ViewSize(columnCount: 20, rowCount: 5), colorCount: 8))
        #expect(view.waits(milliseconds: 3000) { $0.shows(ViewSize(columnCount: 20, rowCount: 5)) })
    }

    @Test(arguments: ["Tremolo", "Filter"]) func memoryThatIsNoViewIsRefused(name: String) throws {
        let (unit, _) = try start(name)
        let opening = HostMessage.openView(ViewOpening(size: size, colorCount: 256))
        func refuses(_ descriptors: [Int32]) throws -> Bool {
            if case .refused = try unit.ask(opening, descriptors) { true } else { false }
        }
        let (_, far) = try ControlSocket.pair()
        func memory(_ change: (UnsafeMutablePointer<CWireLayout_ViewHeader>) -> Void) throws -> Int32 {
            let view = try ViewMemory(capacity: 400)
            change(view.memory.base.assumingMemoryBound(to: CWireLayout_ViewHeader.self))
            return dup(view.memory.descriptor)
        }
        #expect(try refuses([]))
        #expect(try refuses([dup(far.descriptor)]))
        #expect(try refuses([try memory { _ in }]))
        #expect(try refuses([try memory { $0.pointee.magic = 0 }, dup(far.descriptor)]))
        #expect(try refuses([try memory { $0.pointee.version = 2 }, dup(far.descriptor)]))
        #expect(try refuses([try memory { $0.pointee.capacity = 100_000 }, dup(far.descriptor)]))
        #expect(try refuses([try memory { $0.pointee.capacity = .max }, dup(far.descriptor)]))
        #expect(try refuses([try memory { $0.pointee.pixelCapacity = 5000 }, dup(far.descriptor)]))
        #expect(try refuses([try memory { $0.pointee.pixelCapacity = .max }, dup(far.descriptor)]))
        // The size has 400 cells.
        #expect(try refuses([try memory { $0.pointee.capacity = 399 }, dup(far.descriptor)]))
        #expect(try !refuses([try memory { _ in }, dup(far.descriptor)]))
        let view = try HandWiredView(of: unit, size: size)
        #expect(view.waits(milliseconds: 3000) { $0.shows(size) })
    }

    /// A host made by hand is to validate what floods, too.
    @Test func aFloodIsReadPieceByPieceAndItsEndIsKept() throws {
        let (unit, _) = try start("TremoloFlooding")
        let view = try HandWiredView(of: unit, size: size)
        var (count, longest) = (0, 0)
        let hasFlooded = view.waits(milliseconds: 5000) { view in
            longest = max(longest, view.drawnCount - count)
            count = view.drawnCount
            return count > 20_000
        }
        #expect(hasFlooded && longest <= 256, "\(count), at most \(longest)")
        #expect((4096...8192).contains(view.notices.count))
    }

    @Test func aFormerViewThatDoesNotEndIsAReasonToRefuse() throws {
        let (unit, _) = try start("TremoloStayingInView")
        let view = try HandWiredView(of: unit, size: size)
        #expect(view.waits(milliseconds: 3000) { $0.shows(size) })
        view.hangUp()
        let error = #expect(throws: HandWiredUnit.Failure.self) { try HandWiredView(of: unit, size: size) }
        #expect(error == .refused("its former view has not ended"))
        // The unit answers as before.
        guard case .state = try unit.ask(.saveState) else {
            Issue.record("no state")
            return
        }
    }
}

/// Counts the entries of a folder.
private enum FileCount {
    static func entries(_ folder: String) throws -> Int {
        let stream = try #require(opendir(folder))
        defer { closedir(stream) }
        var count = 0
        while readdir(stream) != nil { count += 1 }
        return count
    }
}
