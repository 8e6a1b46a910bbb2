// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Pictures that LV2 plug-ins draw of themselves, as views: their colours, when they change, and hostile ones. Test thread.

import AudioUnits
import Cells
import HostingTestSupport
import LinuxSystem
import Synchronization
import TestSupport
import Testing
import ViewChannel

@testable import PluginHosting

private func waitUntil(milliseconds: Int, _ condition: () -> Bool) -> Bool {
    Patience.until(within: Double(milliseconds) / 1000, condition)
}

/// The view of a unit, and what it has shown.
private final class Display {
    let unit: HostedUnit
    let view: HostedView
    private let seen = Seen()

    private final class Seen: Sendable {
        let updates = Mutex<[HostedView.Update]>([])
    }

    /// Eight rows: six of the picture, an empty one, and one of values.
    init(
        _ size: ViewSize = ViewSize(columnCount: 20, rowCount: 8), colorCount: Int = 1 << 24, cell: PixelSize = .none,
        pixelCapacity: Int = 0
    ) throws {
        unit = try LV2.unit("drawer")
        view = try HostedView(
            of: unit, size: size, colorCount: colorCount, cell: cell, pixelCapacity: pixelCapacity
        ) { [seen] update in seen.updates.withLock { $0.append(update) } }
    }

    deinit { view.close() }

    var grid: CellGrid {
        for case .picture(let grid) in seen.updates.withLock({ $0 }).reversed() { return grid }
        return CellGrid(columnCount: 0, rowCount: 0)
    }

    var reason: String? {
        for case .closed(let reason) in seen.updates.withLock({ $0 }) { return reason }
        return nil
    }

    func shows(_ text: String) -> Bool { waitUntil(milliseconds: 5000) { self.grid.text.contains(text) } }

    func shows(_ cell: Cell, column: Int, row: Int) -> Bool {
        waitUntil(milliseconds: 5000) { self.grid[column, row] == cell }
    }

    /// Plays through the unit until the object goes; without a pause no block is missed.
    ///
    /// Each channel hears a level of its own.
    func bench(_ levels: [Float] = [0.5], layout: ChannelLayout? = nil) throws -> Bench {
        try Bench([unit], input: levels.flatMap { LV2.constant($0) }, maximumFrameCount: 64, isLooping: true, layout: layout)
    }
}

@Suite(.timed("measures how long a picture is waited for")) struct LV2DisplayTests {
    private static func field(_ color: CellColor) -> Cell { Cell(" ", CellStyle(background: color)) }

    @Test func aPictureIsShownInItsColoursAboveTheFirstParameters() throws {
        let display = try Display()
        #expect(display.unit.description.flags.contains(.hasView))
        #expect(display.shows("It plays nothing"))
        var bench = try display.bench()
        #expect(bench.render(64) == LV2.constant(0.5, frames: 64))
        for row in 0..<3 {
            for column in [0, 9] { #expect(display.shows(Self.field(.rgb(255, 0, 0)), column: column, row: row)) }
            for column in [10, 19] { #expect(display.shows(Self.field(.rgb(0, 255, 0)), column: column, row: row)) }
        }
        let grid = display.grid
        for row in 3..<6 {
            #expect(grid[0, row] == Self.field(.rgb(0, 0, 255)) && grid[9, row] == grid[0, row])
            #expect(grid[10, row] == Cell() && grid[19, row] == Cell(), "what is transparent is the terminal's own background")
        }
        #expect(grid.text.hasSuffix("Level 1   Order 0"), "\(grid.text)")
        // Only a block tells the plug-in of its new level, and only the plug-in the view.
        try display.unit.set("level", to: 2)
        #expect(display.shows("Level 2"))
        #expect(bench.render(64) == LV2.constant(1, frames: 64))
        #expect(display.shows(Self.field(.rgb(255, 255, 255)), column: 0, row: 0))
        // The last picture stays when the render resources go.
        do { _ = consume bench }
        display.view.send(.focus(true))
        #expect(display.shows(Self.field(.rgb(255, 255, 255)), column: 0, row: 0) && display.reason == nil)
    }

    @Test func whereTheScreenHasPixelsThePictureComesInThemAsWell() throws {
        let cell = PixelSize(width: 9, height: 20)
        let display = try Display(cell: cell, pixelCapacity: 1 << 20)
        var bench = try display.bench()
        _ = bench.render(64)
        #expect(waitUntil(milliseconds: 5000) { display.grid.pixels != nil })
        let pixels = try #require(display.grid.pixels)
        #expect(pixels.part == CellRectangle(column: 0, row: 0, columnCount: 20, rowCount: 6))
        #expect(pixels.size == PixelSize(width: 180, height: 120))
        func pixel(_ x: Int, _ y: Int) -> UInt32 { pixels.pixels[y * 180 + x] }
        #expect([pixel(0, 0), pixel(89, 59), pixel(90, 0), pixel(0, 60)] == [0xFFFF_0000, 0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF])
        #expect(pixel(90, 60) == 0 && !pixels.isOpaque)
        // The cells below show the same.
        #expect(display.grid[0, 2] == Self.field(.rgb(255, 0, 0)) && display.grid[19, 5] == Cell())
        // Another picture, another screen, and one without pixels.
        try display.unit.set("level", to: 2)
        _ = bench.render(64)
        #expect(waitUntil(milliseconds: 5000) { display.grid.pixels?.pixels.first == .max })
        let size = ViewSize(columnCount: 20, rowCount: 8)
        display.view.resize(to: size, colorCount: 256, cell: PixelSize(width: 5, height: 5))
        #expect(waitUntil(milliseconds: 5000) { display.grid.pixels?.size == PixelSize(width: 100, height: 30) })
        display.view.resize(to: size, colorCount: 256)
        #expect(waitUntil(milliseconds: 5000) { display.grid.pixels == nil })
        #expect(display.shows(Self.field(.palette(231)), column: 0, row: 0) && display.reason == nil)
    }

    /// The last field is yellow for an instance that hears negative samples.
    @Test func theInstanceOfEachChannelIsDrawnBesideTheOthersBelowItsName() throws {
        let display = try Display(ViewSize(columnCount: 40, rowCount: 12))
        var bench = try display.bench([0.5, -0.5])
        #expect(bench.render(64) == [0.5, -0.5].flatMap { LV2.constant($0, frames: 64) })
        #expect(display.shows(Self.field(.rgb(255, 255, 0)), column: 39, row: 9))
        let grid = display.grid
        let names = "Left" + String(repeating: " ", count: 17) + "Right"
        #expect(grid.text.hasPrefix(names + "\n") && grid.text.hasSuffix("Level 1   Order 0"), "\(grid.text)")
        for (column, lastField) in [(0, Cell()), (21, Self.field(.rgb(255, 255, 0)))] {
            #expect(grid[column, 1] == Self.field(.rgb(255, 0, 0)) && grid[column + 8, 4] == grid[column, 1])
            #expect(grid[column + 18, 1] == Self.field(.rgb(0, 255, 0)) && grid[column, 9] == Self.field(.rgb(0, 0, 255)))
            #expect(grid[column + 18, 9] == lastField)
        }
        #expect(grid[19, 3] == Cell() && grid[20, 3] == Cell(), "the pictures do not touch")
        // The second instance alone asks to be drawn: what the first one hears stays.
        try display.unit.set("level", to: 2)
        _ = bench.render(64)
        #expect(display.shows(Self.field(.rgb(255, 255, 255)), column: 21, row: 1))
        #expect(display.grid[0, 1] == Self.field(.rgb(255, 255, 255)) && display.reason == nil)
    }

    @Test(
        arguments: [
            (nil, ["Left", "Right", "Centre", "Low frequencies", "Back left", "Back right"]),
            (nil, (1...9).map { "Channel \($0)" }),
            (ChannelLayout([.sideRight, .topCenter]), ["Side right", "Top"]),
        ] as [(ChannelLayout?, [String])])
    func anInstanceHasTheNameOfWhatItHears(layout: ChannelLayout?, names: [String]) throws {
        // Each picture is sixteen columns wide.
        let display = try Display(ViewSize(columnCount: 18 * names.count - 2, rowCount: 12))
        var bench = try display.bench([Float](repeating: 0.5, count: names.count), layout: layout)
        _ = bench.render(64)
        #expect(display.shows(names[names.count - 1]))
        let line = names.map { $0 + String(repeating: " ", count: 18 - $0.count) }.joined()
        #expect(line.hasPrefix(display.grid.text.prefix { $0 != "\n" }), "\(display.grid.text)")
    }

    @Test func severalPicturesComeInPixelsAsWell() throws {
        let display = try Display(
            ViewSize(columnCount: 40, rowCount: 12), cell: PixelSize(width: 10, height: 20), pixelCapacity: 1 << 20)
        var bench = try display.bench([0.5, -0.5])
        _ = bench.render(64)
        #expect(waitUntil(milliseconds: 5000) { display.grid.pixels != nil })
        let pixels = try #require(display.grid.pixels)
        #expect(pixels.part == CellRectangle(column: 0, row: 1, columnCount: 40, rowCount: 9))
        #expect(pixels.size == PixelSize(width: 400, height: 180))
        func pixel(_ x: Int, _ y: Int) -> UInt32 { pixels.pixels[y * 400 + x] }
        let (red, green): (UInt32, UInt32) = (0xFFFF_0000, 0xFF00_FF00)
        #expect([pixel(0, 0), pixel(189, 0), pixel(210, 0), pixel(399, 0)] == [red, green, red, green])
        #expect([pixel(189, 179), pixel(200, 0), pixel(399, 179)] == [0, 0, 0xFFFF_FF00])
        #expect(display.grid.text.hasPrefix("Left"))
    }

    @Test func picturesAreBelowEachOtherWhereTheyAreLargerSo() throws {
        let display = try Display(ViewSize(columnCount: 22, rowCount: 30))
        var bench = try display.bench([0.5, -0.5])
        _ = bench.render(64)
        // 27 rows for two pictures of thirteen and an empty row between them; six columns for the names.
        #expect(display.shows(Self.field(.rgb(255, 255, 0)), column: 21, row: 26))
        let rows = display.grid.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(rows[0] == "Left" && rows[14] == "Right", "\(display.grid.text)")
        for row in [0, 14] { #expect(display.grid[6, row] == Self.field(.rgb(255, 0, 0)), "row \(row)") }
        #expect(display.grid[21, 12] == Cell() && display.grid[10, 13] == Cell())
    }

    @Test func withoutRoomForAllPicturesTheFirstOneSaysSo() throws {
        let display = try Display()
        var bench = try display.bench([0.5, -0.5])
        _ = bench.render(64)
        #expect(display.shows(Self.field(.rgb(255, 0, 0)), column: 5, row: 1))
        #expect(display.grid.text.hasPrefix("Left; the view is"), "\(display.grid.text)")
        // There is room in a larger view.
        display.view.resize(to: ViewSize(columnCount: 40, rowCount: 12), colorCount: 1 << 24)
        #expect(display.shows(Self.field(.rgb(255, 255, 0)), column: 39, row: 9))
    }

    @Test func aPictureWithTooManyPixelsIsASmallerOne() throws {
        let display = try Display(cell: PixelSize(width: 10, height: 20), pixelCapacity: 6000)
        var bench = try display.bench()
        _ = bench.render(64)
        #expect(waitUntil(milliseconds: 5000) { display.grid.pixels != nil })
        let pixels = try #require(display.grid.pixels)
        #expect((5000...6000).contains(pixels.pixels.count) && pixels.fits(cell: PixelSize(width: 10, height: 20)))
        #expect(pixels.part == CellRectangle(column: 5, row: 1, columnCount: 10, rowCount: 3))
    }

    /// Each keeps to the limits of a picture; side by side they would have 2.2 GB.
    @Test func picturesThatAreTooLargeTogetherAreMadeSmaller() throws {
        let display = try Display(ViewSize(columnCount: 40, rowCount: 12))
        try display.unit.set("order", to: 10)
        var bench = try display.bench([0.5, -0.5])
        let process = try #require(display.unit.processIdentifier)
        _ = bench.render(64)
        // The second picture alone reaches the last row.
        #expect(waitUntil(milliseconds: 5000) { (0..<40).contains { display.grid[$0, 9] != Cell() } }, "\(display.grid.text)")
        let bytes = try greatestMemory(of: process)
        #expect((10_000_000...800_000_000).contains(bytes), "\(bytes) bytes")
        #expect(bench.render(64) == [0.5, -0.5].flatMap { LV2.constant($0, frames: 64) })
        #expect(display.unit.processIdentifier == process && display.reason == nil)
    }

    /// The most memory that a process has had, in bytes.
    private func greatestMemory(of process: Int32) throws -> Int {
        let status = try #require(Folder.text(of: "/proc/\(process)/status"))
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try 1024 * #require(line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) })
    }

    @Test func anInstanceThatDrawsNothingLeavesTheOthersTheirPictures() throws {
        let display = try Display(ViewSize(columnCount: 40, rowCount: 12))
        try display.unit.set("order", to: 11)
        var bench = try display.bench([0.5, -0.5])
        _ = bench.render(64)
        #expect(display.shows("It draws nothing"), "\(display.grid.text)")
        #expect(display.grid[0, 1] == Self.field(.rgb(255, 0, 0)) && display.grid[18, 1] == Self.field(.rgb(0, 255, 0)))
        #expect(display.grid.text.hasPrefix("Left") && display.grid[39, 9] == Cell())
    }

    /// Each picture takes 600 ms, and the plug-in ends its process if its state is saved meanwhile.
    @Test func aStateIsSavedBetweenTwoSlowPictures() throws {
        let display = try Display(ViewSize(columnCount: 60, rowCount: 12))
        try display.unit.set("order", to: 12)
        var bench = try display.bench([0.5, 0.5, -0.5])
        let process = display.unit.processIdentifier
        _ = bench.render(64)
        var longest: UInt64 = 0
        for _ in 0..<3 {
            Futex.pause(microseconds: 300_000)
            let start = MonotonicClock.now()
            _ = try display.unit.saveState()
            longest = max(longest, MonotonicClock.now() - start)
        }
        #expect(longest > 100_000_000, "it waited for no picture: \(longest) ns")
        #expect(display.unit.processIdentifier == process && display.reason == nil)
        // In the end all three are drawn.
        #expect(display.shows("Right"), "\(display.grid.text)")
        try bench.checkWholeness()
    }

    /// Nothing but its own requests makes this picture move: no sound passes, and no value changes.
    @Test func aPictureMovesWhenThePluginAsksToBeDrawn() throws {
        let display = try Display()
        try display.unit.set("order", to: 7)
        var bench = try display.bench()
        _ = bench.render(64)
        for _ in 0..<3 {
            #expect(display.shows(Self.field(.rgb(255, 0, 0)), column: 0, row: 0))
            #expect(display.shows(Self.field(.rgb(255, 255, 255)), column: 0, row: 0))
        }
    }

    @Test func keysChooseAndChangeParameters() throws {
        let display = try Display()
        #expect(display.shows("Level 1"))
        display.view.send(.key(.right, []))
        #expect(waitUntil(milliseconds: 3000) { abs((display.unit.values.byKeyPath["level"] ?? 0) - 1.04) < 1e-6 })
        display.view.send(.key(.down, []))
        display.view.send(.key(.right, []))
        #expect(waitUntil(milliseconds: 3000) { display.unit.values.byKeyPath["order"] == 1 })
        display.view.send(.key(.delete, []))
        #expect(waitUntil(milliseconds: 3000) { display.unit.values.byKeyPath["order"] == 0 })
    }

    @Test(arguments: [(256, [196, 46, 21]), (16, [9, 10, 4]), (8, [1, 2, 4])] as [(Int, [UInt8])])
    func aTerminalWithFewerColoursGetsTheNearest(colorCount: Int, expected: [UInt8]) throws {
        let display = try Display(colorCount: colorCount)
        var bench = try display.bench()
        _ = bench.render(64)
        for (place, index) in zip([(0, 0), (19, 0), (0, 5)], expected) {
            #expect(display.shows(Self.field(.palette(index)), column: place.0, row: place.1))
        }
    }

    @Test func withoutColoursThePictureIsMadeOfDots() throws {
        let display = try Display(colorCount: 0)
        var bench = try display.bench()
        _ = bench.render(64)
        #expect(display.shows(Cell("⣿"), column: 19, row: 0) && display.shows(Cell(), column: 19, row: 5))
        for row in 0..<6 {
            for column in 0..<20 {
                let cell = display.grid[column, row]
                #expect(cell.style == .plain && (cell.codePoint == 0x20 || (0x2801...0x28FF).contains(cell.codePoint)))
            }
        }
    }

    @Test(arguments: [
        (1.0, "2147483647 by 24"), (2, "40 by -5"), (3, "40 pixels in rows of 159"), (4, "no pixels"), (5, "nothing at present"),
    ])
    func aHostilePictureCostsTheViewAlone(order: Double, reason: String) throws {
        let display = try Display()
        display.view.resize(to: ViewSize(columnCount: 80, rowCount: 14), colorCount: 1 << 24)
        try display.unit.set("order", to: order)
        var bench = try display.bench()
        let process = display.unit.processIdentifier
        let replaced = reason.replacing("40 ", with: "160 ").replacing("159", with: "639").replacing("24", with: "44")
        #expect(display.shows(replaced), "\(display.grid.text)")
        #expect(display.grid.text.contains("\n\nLevel 1   Order"), "the parameters have the room instead")
        #expect(bench.render(64) == LV2.constant(0.5, frames: 64))
        #expect(display.unit.processIdentifier == process && display.reason == nil)
        // It gets over it.
        try display.unit.set("order", to: 0)
        _ = bench.render(64)
        #expect(display.shows(Self.field(.rgb(255, 0, 0)), column: 0, row: 0))
        try bench.checkWholeness()
    }

    /// The host waits three seconds for a view that hangs, and the unit one second for its picture.
    @Test func aPluginThatHangsWhileItDrawsPlaysOn() throws {
        let display = try Display()
        try display.unit.set("order", to: 6)
        let process = display.unit.processIdentifier
        do {
            var bench = try display.bench()
            #expect(bench.render(64) == LV2.constant(0.5, frames: 64))
            #expect(waitUntil(milliseconds: 10_000) { display.reason?.contains("not answered") == true })
            #expect(bench.render(64) == LV2.constant(0.5, frames: 64))
            #expect(try display.unit.saveState().values["order"] == 6)
        }
        var bench = try display.bench()
        #expect(bench.render(64) == LV2.constant(0.5, frames: 64))
        #expect(display.unit.processIdentifier == process)
        try bench.checkWholeness()
    }

    /// Its picture takes 2.5 seconds, and it reads its ports at the end: those of an instance that was to end a second before.
    @Test func aSlowPictureOutlivesItsInstance() throws {
        let display = try Display()
        try display.unit.set("order", to: 8)
        let process = display.unit.processIdentifier
        try playWhileItDraws(display)
        Futex.pause(microseconds: 2_800_000)
        _ = try display.unit.saveState()
        #expect(display.unit.processIdentifier == process && display.reason == nil)
    }

    /// It plays on in the meantime, and is drawn once the old picture is there.
    @Test func anInstanceThatComesDuringASlowPictureIsDrawnAfterIt() throws {
        let display = try Display()
        try display.unit.set("order", to: 8)
        let process = display.unit.processIdentifier
        try playWhileItDraws(display)
        try display.unit.set("order", to: 0)
        try display.unit.set("level", to: 2)
        var bench = try display.bench()
        #expect(bench.render(64) == LV2.constant(1, frames: 64))
        #expect(display.shows(Self.field(.rgb(255, 255, 255)), column: 0, row: 0))
        #expect(display.unit.processIdentifier == process && display.reason == nil)
        try bench.checkWholeness()
    }

    /// Renders a block, waits until the plug-in draws with the values of it, and ends the instance.
    private func playWhileItDraws(_ display: Display) throws {
        var bench = try display.bench()
        _ = bench.render(64)
        Futex.pause(microseconds: 300_000)
    }

    /// The plug-in draws all the time, 300 ms a picture, and ends its process if it is activated meanwhile: after it was bypassed.
    @Test func aPluginThatDrawsAllTheTimeIsActivatedBetweenTwoPictures() throws {
        let display = try Display()
        try display.unit.set("order", to: 9)
        var bench = try display.bench()
        let process = display.unit.processIdentifier
        for round in 0..<2 {
            _ = bench.render(64)
            Futex.pause(microseconds: 400_000)
            bypassForAWhile(&bench)
            // At first faster than in real time; in all, longer than any picture may take.
            for block in 0..<900 {
                let output = bench.render(64, isOffline: false, slowdown: 100)
                try #require(output == LV2.constant(0.5, frames: 64), "round \(round), block \(block)")
                if block > 200 { Futex.pause(microseconds: 1300) }
            }
        }
        #expect(display.unit.processIdentifier == process && display.reason == nil)
        try bench.checkWholeness()
    }

    /// Offline, the plug-in has a second to end its picture before it is activated beside it.
    @Test func aPluginThatHangsWhileItDrawsCostsASecondOffline() throws {
        let display = try Display()
        try display.unit.set("order", to: 6)
        let process = display.unit.processIdentifier
        var bench = try display.bench()
        _ = bench.render(64)
        Futex.pause(microseconds: 300_000)
        let start = MonotonicClock.now()
        bypassForAWhile(&bench)
        #expect(bench.render(64) == LV2.constant(0.5, frames: 64))
        let milliseconds = (MonotonicClock.now() - start) / 1_000_000
        #expect((900...2000).contains(milliseconds), "\(milliseconds) ms")
        #expect(display.unit.processIdentifier == process)
        try bench.checkWholeness()
    }

    /// The sound passes by for a second while the picture is waited for, and that happens once.
    @Test func aPictureThatHangsIsNotWaitedForAgain() throws {
        let display = try Display()
        try display.unit.set("order", to: 6)
        try display.unit.set("level", to: 2)
        let process = display.unit.processIdentifier
        do {
            var bench = try display.bench()
            _ = bench.render(64)
            Futex.pause(microseconds: 300_000)
            let dry = dryBlocksAfterABypass(&bench)
            #expect((700...900).contains(dry), "\(dry) blocks")
            for _ in 0..<2 {
                let dry = dryBlocksAfterABypass(&bench)
                #expect(dry < 50, "\(dry) blocks")
            }
        }
        // Neither by the next instance.
        var bench = try display.bench()
        _ = bench.render(64)
        let dry = dryBlocksAfterABypass(&bench)
        #expect(dry < 50, "\(dry) blocks")
        let start = MonotonicClock.now()
        bypassForAWhile(&bench)
        for _ in 0..<40 { _ = bench.render(64) }
        #expect(bench.render(64) == LV2.constant(1, frames: 64))
        #expect(MonotonicClock.now() - start < 900_000_000, "nor offline")
        #expect(display.unit.processIdentifier == process)
        try bench.checkWholeness()
    }

    /// The blocks after a bypass in which the plug-in, which doubles the level, is not heard; at most 2000.
    private func dryBlocksAfterABypass(_ bench: inout Bench) -> Int {
        bypassForAWhile(&bench)
        return (0..<2000).first { _ in bench.render(64, isOffline: false, slowdown: 100) == LV2.constant(1, frames: 64) } ?? 2000
    }

    /// After a bypass the plug-in must forget what it has heard.
    private func bypassForAWhile(_ bench: inout Bench) {
        bench.row.members[0].isBypassed = true
        for _ in 0..<40 { _ = bench.render(64) }
        bench.row.members[0].isBypassed = false
    }

    /// The plug-in ends its process if it is activated or ended while it draws, which takes it 3 ms.
    @Test func nothingIsDrawnWhileAnInstanceIsMadeOrEnds() throws {
        let display = try Display()
        _ = try display.bench()
        let process = display.unit.processIdentifier
        for round in 0..<20 {
            var bench = try display.bench()
            for block in 0..<20 {
                // Draws as often as it can.
                display.view.send(.focus(block % 2 == 0))
                if block == 10 { try display.unit.reset() }
                #expect(bench.render(64) == LV2.constant(0.5, frames: 64), "round \(round), block \(block)")
            }
            try bench.checkWholeness()
            _ = try display.unit.saveState()
        }
        #expect(display.unit.processIdentifier == process && display.reason == nil)
    }
}
