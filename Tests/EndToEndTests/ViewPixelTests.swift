// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead view on terminals that show pixels, and on one that says nothing. Test thread.

import Foundation
import TestSupport
import Testing

extension Commands {
    @Suite(.enabled(if: Machine.hasTerminals, "no terminal can be made here")) struct ViewPixelTests {
        private let drawer = "lv2:urn:bulkhead:test:drawer"

        private func bench() throws -> Workbench { try Workbench(adding: ["LV2_PATH": "\(Build.testPluginFolder)/LV2"]) }

        private func images(_ terminal: PseudoTerminal) -> [SixelImage?] { SixelImage.images(in: terminal.output) }

        /// The answer comes late and in two parts.
        @Test(arguments: [true, false]) func aTerminalThatShowsPixelsGetsThePicture(tellsPixels: Bool) throws {
            let terminal = try PseudoTerminal(try bench(), ["view", drawer], cell: tellsPixels ? (10, 20) : nil)
            #expect(terminal.reads { $0.text.contains("\u{1B}[c") && $0.text.contains("Level 1") })
            terminal.reads(milliseconds: 300)
            terminal.type("\u{1B}[?6")
            terminal.reads(milliseconds: 100)
            #expect(images(terminal).isEmpty)
            terminal.type("2;4c")
            if !tellsPixels {
                #expect(terminal.reads { $0.text.contains("\u{1B}[16t") } && images(terminal).isEmpty)
                terminal.type("\u{1B}[6;20;10t")
            }
            #expect(terminal.reads { !images($0).isEmpty })
            let image = try #require(images(terminal).first ?? nil)
            // Twenty of 24 rows: one tells how to leave, two have values, and one is empty.
            #expect(image.width == 800 && image.height == 400)
            #expect(
                [image[0, 0], image[399, 199], image[400, 0], image[0, 200], image[399, 399]] == [
                    0xFFFF_0000, 0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF, 0xFF00_00FF,
                ])
            #expect(image[400, 200] == 0 && image[799, 399] == 0, "what is transparent is the terminal's own background")
            #expect(terminal.text.contains("\u{1B}[1;1H\u{1B}P"))
            // The answers are no keys.
            #expect(!terminal.text.contains(".04") && terminal.text.contains("\u{1B}[16t") == !tellsPixels)
            #expect(terminal.leave() == 0)
        }

        @Test func aPictureFollowsTheWindowAndItsFontAndIsWrittenAnewOnDemand() throws {
            let terminal = try PseudoTerminal(try bench(), ["view", drawer], cell: (10, 20))
            #expect(terminal.reads { $0.text.contains("\u{1B}[c") })
            terminal.type("\u{1B}[?62;4c")
            #expect(terminal.reads { !images($0).isEmpty })
            terminal.resize(columns: 60, rows: 20, cell: (8, 16))
            #expect(terminal.reads { images($0).last??.width == 480 })
            #expect(images(terminal).last??.height == 256)
            // Ctrl-L.
            let count = images(terminal).count
            terminal.type("\u{C}")
            #expect(terminal.reads { images($0).count > count } && !images(terminal).contains(nil))
            #expect(terminal.leave() == 0)
        }

        @Test func theScreenShowsThePictureBesideItsPanesAndNotOverADialog() throws {
            let bench = try bench()
            // The plug-in draws the sign of the sound, which never changes here.
            try bench.writeSamples("in.wav", [Float](repeating: 0.25, count: 24_000))
            let host = try bench.start("play", "in.wav", "--driver", "null", "--loop", "-e", drawer)
            try #require(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 })
            defer { host.send(SIGINT) }
            let terminal = try PseudoTerminal(bench, ["attach"], cell: (10, 20))
            #expect(terminal.reads { $0.text.contains("\u{1B}[c") && $0.text.contains("Drawer") })
            terminal.type("v")
            terminal.reads(milliseconds: 1000)
            #expect(images(terminal).isEmpty)
            // The answer comes while the view is open, in characters.
            terminal.type("\u{1B}[?62;4c")
            #expect(terminal.reads { !images($0).isEmpty })
            let image = try #require(images(terminal).first ?? nil)
            #expect(image.width % 10 == 0 && image.height % 20 == 0 && image.width < 600)
            #expect(
                [image[0, 0], image[image.width - 1, 0], image[0, image.height - 1]] == [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF])
            // Help is drawn in characters, and the picture is there again behind it.
            terminal.reads(milliseconds: 1000)
            let count = images(terminal).count
            terminal.type("?")
            terminal.reads(milliseconds: 1000)
            #expect(images(terminal).count == count)
            terminal.type("q")
            #expect(terminal.reads { images($0).count > count })
            terminal.resize(columns: 100, rows: 30, cell: (8, 16))
            #expect(
                terminal.reads {
                    images($0).last.flatMap { $0.map { $0.width % 8 == 0 && $0.height % 16 == 0 && $0 != image } } ?? false
                })
            #expect(!images(terminal).contains(nil))
            #expect(terminal.leave() == 0)
        }

        @Test(arguments: [nil, "\u{1B}[?62;22c", "\u{1B}[?4c"]) func aTerminalThatDoesNotSaySoGetsNoPicture(answer: String?) throws
        {
            let terminal = try PseudoTerminal(try bench(), ["view", drawer], cell: (10, 20))
            #expect(terminal.reads { $0.text.contains("\u{1B}[c") && $0.text.contains("Level 1") })
            if let answer { terminal.type(answer) }
            terminal.type("\u{1B}[C")
            #expect(terminal.reads { $0.text.contains(".04") })
            #expect(terminal.leave() == 0)
            #expect(!terminal.output.contains([0x1B, 0x50]) && terminal.text.ranges(of: "\u{1B}[c").count == 1)
            #expect(!terminal.text.contains("\u{1B}[16t"))
        }

        @Test func aUserWithoutColoursIsAskedNothing() throws {
            let bench = try Workbench(adding: ["LV2_PATH": "\(Build.testPluginFolder)/LV2", "NO_COLOR": "1"])
            let terminal = try PseudoTerminal(bench, ["view", drawer], cell: (10, 20))
            #expect(terminal.reads { $0.text.contains("Level 1") })
            terminal.type("\u{1B}[?62;4c\u{1B}[C")
            #expect(terminal.reads { $0.text.contains(".04") })
            #expect(terminal.leave() == 0)
            #expect(!terminal.output.contains([0x1B, 0x50]) && !terminal.text.contains("\u{1B}[c"))
        }
    }
}
