// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead window: values go both ways, consent, and what becomes of windows that fail. Test thread.

import Foundation
import Testing

extension Commands {
    @Suite struct WindowTests {
        @Test func aClickInTheWindowSetsTheValueAndASettingShowsInTheWindow() throws {
            let windows = try WindowBench("windowed")
            try windows.grant("windowed")
            let window = try windows.open("Windowed")
            #expect(try windows.screen.hasWindow(called: "Windowed"))
            #expect(eventually(within: 5) { windows.told.contains("2 1") && windows.told.contains("3 3") }, "\(windows.told)")
            try windows.screen.click(50, 20)
            #expect(try eventually(within: 5) { try windows.value("Windowed.knobs.level") == "Windowed.knobs.level = 0.25\n" })
            // A choice is counted from its lowest value on.
            try windows.screen.click(50, 80)
            #expect(try eventually(within: 5) { try windows.value("Windowed.mode") == "Windowed.mode = Twenty\n" })
            try windows.bench.run("ctl", "set", "Windowed.knobs.level=0.75", "Windowed.mode=Half").expectOK()
            #expect(eventually(within: 5) { windows.told.contains("2 0.75") && windows.told.contains("3 0.5") }, "\(windows.told)")
            #expect(!windows.told.contains("2 0.25"), "the window is told what it has just set")
            window.send(SIGINT)
            let outcome = window.wait(seconds: 10)
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
            #expect(try eventually(within: 5) { try !windows.screen.hasWindow(called: "Windowed") })
        }

        @Test func aNestedWindowIsInAnXServerOfItsOwnWhichEndsWithIt() throws {
            let windows = try WindowBench("windowed")
            #expect(try windows.bench.run("window", "Windowed", "--nested").errors.contains("needs your consent"))
            try windows.grant("windowed")
            let window = try windows.open("Windowed", "--nested")
            #expect(ProcessTable.identifier(ofProgram: "/Xephyr", home: windows.bench.folder) != nil)
            try windows.screen.click(100, 20)
            #expect(try eventually(within: 5) { try windows.value("Windowed.knobs.level") == "Windowed.knobs.level = 0.5\n" })
            window.send(SIGINT)
            let outcome = window.wait(seconds: 10)
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
            #expect(eventually(within: 5) { ProcessTable.identifier(ofProgram: "/Xephyr", home: windows.bench.folder) == nil })
        }

        /// Beside the user's windows it can do all of it, which shows that the attempts are true ones.
        @Test(arguments: [true, false]) func aNestedWindowThatPriesFindsNothing(isNested: Bool) throws {
            let windows = try WindowBench("pryingWindow")
            try windows.grant("pryingWindow")
            try "mine".write(toFile: windows.bench.path("secret"), atomically: true, encoding: .utf8)
            let window = try windows.open("Prying Window", isNested ? ["--nested"] : [])
            try windows.screen.click(50, 20)
            let level = isNested ? "0.5" : "0.95"
            #expect(
                try eventually(within: 20) { try windows.value("Prying Window.level") == "Prying Window.level = \(level)\n" },
                "\(windows.told)")
            window.send(SIGINT)
            #expect(window.wait(seconds: 10).status == 0)
        }

        @Test func aWindowWithoutConsentIsRefusedAndTheRefusalSaysWhatItMayDo() throws {
            let windows = try WindowBench("windowed")
            let refused = try windows.bench.run("window", "Windowed")
            #expect(refused.status == 1)
            for part in [
                "reads what you may read", "watch other windows", "bulkhead grant lv2:urn:bulkhead:test:windowed --window",
            ] {
                #expect(refused.errors.contains(part), "\(refused.errors)")
            }
            try windows.grant("windowed")
            #expect(try windows.bench.run("info", WindowBench.id("windowed")).output.contains("open a window of its own"))
            // The consent is about the files as they were.
            let file = windows.bench.path("lv2/windowed.lv2/windowed.ttl")
            let text = try String(contentsOfFile: file, encoding: .utf8)
            try (text + "# changed\n").write(toFile: file, atomically: true, encoding: .utf8)
            let changed = try windows.bench.run("window", "Windowed")
            #expect(changed.status == 1 && changed.errors.contains("ended when its files changed"), "\(changed.errors)")
            try windows.grant("windowed")
            try windows.bench.run("revoke", WindowBench.id("windowed"), "--window").expectOK()
            #expect(try windows.bench.run("window", "Windowed").errors.contains("needs your consent"))
        }

        @Test func aBlockedPlugInGetsNoWindow() throws {
            let windows = try WindowBench("windowed")
            try windows.grant("windowed")
            try windows.bench.run("block", WindowBench.id("windowed")).expectOK()
            let outcome = try windows.bench.run("window", "Windowed")
            #expect(outcome.status == 1 && outcome.errors.contains("you have blocked the plug-in"), "\(outcome.errors)")
        }

        @Test func nobodyElseReachesTheNestedServerWhichEndsWithAKilledCommand() throws {
            let windows = try WindowBench("windowed")
            try windows.grant("windowed")
            let window = try windows.open("Windowed", "--nested")
            let process = try #require(ProcessTable.identifier(ofProgram: "/bulkhead-window", home: windows.bench.folder))
            let variables = ProcessTable.environment(of: process)
            let (display, authority) = (try #require(variables["DISPLAY"]), try #require(variables["XAUTHORITY"]))
            #expect(display != windows.screen.display)
            #expect(try FileManager.default.attributesOfItem(atPath: authority)[.posixPermissions] as? Int == 0o600)
            #expect(try VirtualScreen.answers(at: display, authority: authority))
            #expect(try !VirtualScreen.answers(at: display, authority: "/dev/null"))
            window.send(SIGKILL)
            _ = window.wait(seconds: 10)
            #expect(eventually(within: 5) { ProcessTable.identifier(ofProgram: "/Xephyr", home: windows.bench.folder) == nil })
        }

        @Test func aWindowThatCrashesEndsAloneAndTheCommandSaysSo() throws {
            let windows = try WindowBench("crashingWindow")
            try windows.grant("crashingWindow")
            let (window, before) = (try windows.open("Crashing Window"), try windows.health())
            try windows.screen.click(50, 20)
            let outcome = window.wait(seconds: 10)
            #expect(outcome.status == 1 && outcome.errors.contains("was ended by SIGSEGV"), "\(outcome.errors)")
            #expect(try windows.health().first == before.first)
        }

        /// It takes the ten seconds that a window has to answer.
        @Test func aWindowThatHangsIsClosedAndTheCommandSaysSo() throws {
            let windows = try WindowBench("hangingWindow")
            try windows.grant("hangingWindow")
            let window = try windows.open("Hanging Window")
            try windows.screen.click(50, 20)
            let outcome = window.wait(seconds: 30)
            #expect(outcome.status == 1 && outcome.errors.contains("hung"), "\(outcome.errors)")
            #expect(try !windows.screen.hasWindow(called: "Hanging Window"))
        }

        @Test func aWindowThatShowsItselfSetsValuesAndEndsByItself() throws {
            let windows = try WindowBench("ownWindow")
            try windows.grant("ownWindow")
            let window = try windows.open("Own Window")
            #expect(try eventually(within: 5) { try windows.value("Own Window.level") == "Own Window.level = 0.25\n" })
            try windows.bench.run("ctl", "set", "Own Window.level=0.5").expectOK()
            let outcome = window.wait(seconds: 10)
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        }

        @Test func aWindowOfGTK2SetsValuesAndIsToldThem() throws {
            let windows = try WindowBench("windowOfGTK2")
            try windows.grant("windowOfGTK2")
            let window = try windows.open("Window of GTK 2")
            #expect(try eventually(within: 5) { try windows.screen.hasWindow(called: "Window of GTK 2") })
            #expect(try eventually(within: 5) { try windows.value("Window of GTK 2.level").hasSuffix("= 0.25\n") })
            try windows.bench.run("ctl", "set", "Window of GTK 2.level=0.5").expectOK()
            let outcome = window.wait(seconds: 10)
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        }

        @Test func closingTheWindowEndsTheCommand() throws {
            let windows = try WindowBench("windowed")
            try windows.grant("windowed")
            let window = try windows.open("Windowed")
            try windows.screen.close("Windowed")
            let outcome = window.wait(seconds: 10)
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        }

        @Test(arguments: [
            ("windowOfGTK3", "Window of GTK 3", "made with GTK 3"), ("reachingWindow", "Reaching Window", "in another process"),
            ("windowless", "Windowless", "brings none"),
        ])
        func whatCannotBeShownIsRefusedInASentence(plugin: String, node: String, reason: String) throws {
            let windows = try WindowBench(plugin)
            try windows.grant(plugin)
            let outcome = try windows.bench.run("window", node)
            #expect(outcome.status == 1 && outcome.errors.contains(reason), "\(outcome.errors)")
            #expect(outcome.errors.hasPrefix("bulkhead: Couldn't open the window of \"\(node)\": "), "\(outcome.errors)")
        }

        @Test func theWindowGoesWithItsUnitAndWithItsHost() throws {
            let windows = try WindowBench("windowed")
            try windows.grant("windowed")
            let first = try windows.open("Windowed")
            try windows.bench.run("ctl", "remove", "Windowed").expectOK()
            let gone = first.wait(seconds: 10)
            #expect(gone.status == 0 && gone.output.contains("no longer in the graph"), "\(gone.output)\(gone.errors)")
            #expect(try windows.bench.run("ctl", "add", WindowBench.id("windowed")).status == 0)
            let second = try windows.open("Windowed")
            try windows.bench.run("ctl", "stop").expectOK()
            let ended = second.wait(seconds: 10)
            #expect(ended.status == 0 && ended.output.contains("The host has ended"), "\(ended.output)\(ended.errors)")
        }

        @Test func aMistakeIsNamed() throws {
            let bench = try Workbench(adding: ["DISPLAY": ""])
            try bench.run("window").expectComplaint(status: 2, "Say which node")
            try bench.run("window", "Gain").expectComplaint(status: 1, "No host plays")
            try bench.run("grant", "Gain", "--window").expectComplaint(status: 1, "only LV2 plug-ins have windows")
            try bench.writeTone()
            let host = try bench.start("play", "in.wav", "--driver", "null", "--loop", "-e", "Gain")
            try #require(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 })
            #expect(try bench.run("window", "Gain").errors.contains("only LV2 plug-ins have"))
            #expect(try bench.run("window", "Reverb").errors.contains("The host has no unit \"Reverb\". It has \"Gain\"."))
            host.send(SIGINT)
            host.wait(seconds: 10).expectSuccess()
        }
    }
}
