// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// `measure` with variants, as CSV and as a plot, in a process of its own. Any thread.

import Foundation
import FoundationXML
import LinuxSystem
import Testing

@Suite struct MeasureVariantsTests {
    /// A folder of the test's own.
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("measure-\(UUID().uuidString)").path
        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private func table(_ text: String) -> [[String]] {
        text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    @Test func aLineOfNamesThenOneForEachRowWithAllThatJSONHas() throws {
        let arguments = "measure --frames 32,64 --cycles 60 --isolation individually,together --waiting futex,spin"
        let run = try CommandRun("\(arguments) --csv")
        #expect(run.status == 0)
        let lines = table(run.output)
        // In process and four variants, at two frame counts.
        #expect(lines.count == 1 + 2 * 5)
        #expect(lines.allSatisfy { $0.count == lines[0].count })
        let json = try JSONSerialization.jsonObject(with: Data(try CommandRun("\(arguments) --json").output.utf8))
        let rows = try #require((json as? [String: Any])?["rows"] as? [[String: Any]])
        #expect(rows.count == 10)
        // What is null is left out of JSON.
        let names = Set(rows.flatMap(\.keys))
        let mayBeNull: Set = ["systemCalls", "otherSystemCalls"]
        #expect(names.isSubset(of: lines[0]) && Set(lines[0]).subtracting(names).isSubset(of: mayBeNull))
        let column = try #require(lines[0].firstIndex(of: "waiting"))
        #expect(lines.dropFirst().prefix(5).map { $0[column] } == ["", "futex", "spin", "futex", "spin"])
    }

    @Test(.enabled(if: Scheduling.processors(ofThread: 0).count > 1, "there is one processor here"))
    func eachPlacementHasAFloorOfItsOwn() throws {
        let run = try CommandRun("measure --frames 64 --cycles 60 --placement together,spread --waiting futex --csv")
        #expect(run.status == 0)
        let lines = table(run.output)
        let (placement, floor) = (lines[0].firstIndex(of: "placement"), lines[0].firstIndex(of: "floorP50us"))
        let row = try #require(placement)
        let column = try #require(floor)
        #expect(lines.dropFirst().map { $0[row] } == ["", "together", "spread"])
        #expect(lines[2][column] != lines[3][column] && lines[1][column] == lines[2][column])
    }

    @Test func oneProcessorIsNoneToSpreadOver() throws {
        let processor = try #require(Scheduling.processors(ofThread: 0).max())
        let run = try CommandRun("measure --placement spread", before: "taskset -c \(processor) env")
        #expect(run.status == 1)
        #expect(run.output.contains("Couldn't measure effects that are spread: this process may use processor \(processor) alone."))
    }

    @Test func aPNGIsAsWideAsAPageAndTheTableComesFirst() throws {
        let folder = try Folder()
        let run = try CommandRun("measure --effects 1,2 --frames 32,64 --cycles 60 --plot \(folder.path)/plot.png")
        #expect(run.status == 0 && run.output.contains("futex floor"))
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/plot.png")))
        #expect(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        let size = [16, 20].map { bytes[$0..<($0 + 4)].reduce(0) { $0 << 8 | Int($1) } }
        #expect(size[0] == 1200 && size[1] > 600)
    }

    @Test func anSVGCanBeParsed() throws {
        let folder = try Folder()
        let run = try CommandRun("measure --frames 32 --cycles 60 --json --plot \(folder.path)/plot.svg")
        #expect(run.status == 0)
        let parser = XMLParser(data: try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/plot.svg")))
        #expect(parser.parse())
    }

    @Test(arguments: ["/nowhere/at/all/plot.svg", "/proc/plot.png"]) func whatCannotBeWrittenIsRefusedBeforeMeasuring(path: String)
        throws
    {
        let run = try CommandRun("measure --cycles 1000000 --plot \(path)")
        #expect(run.status == 1 && run.output.contains("Couldn't write \"\(path)\""))
        #expect(!run.output.contains("floor"))
    }
}
