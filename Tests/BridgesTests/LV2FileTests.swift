// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// LV2 plug-ins that take a file: from a message or only from a state, heard from the first frame, or said not to be. Test thread.

import Testing

@testable import PluginHosting

@Suite(.serialized) struct LV2FileTests {
    @Test(arguments: ["keeper", "filed", "misnamed"], [false, true])
    func aFileIsHeardFromTheFirstFrameHoweverThePluginTakesIt(name: String, inProcess: Bool) throws {
        let file = LV2.NumberFile("0.25")
        let unit = try LV2.unit(name, inProcess: inProcess)
        try unit.setText(name == "keeper" ? "file" : "number", to: file.path)
        let output = try UnitBench().render(unit, LV2.constant(0.5))[0]
        #expect(output.allSatisfy { $0 == 0.75 })
    }

    @Test(arguments: ["filed", "misnamed"])
    func anotherFileTakesThePlaceOfOneThatAStateGave(name: String) throws {
        let (first, second) = (LV2.NumberFile("0.25"), LV2.NumberFile("0.125"))
        let unit = try LV2.unit(name, inProcess: true)
        try unit.setText("number", to: first.path)
        let bench = UnitBench(beforeBlock: { start, unit in
            if start == 1024 { try unit.setText("number", to: second.path) }
        })
        let output = try bench.render(unit, LV2.constant(0.5))[0]
        #expect(output[..<1024].allSatisfy { $0 == 0.75 } && output[1024...].allSatisfy { $0 == 0.625 })
        #expect(try unit.saveState().texts["number"] == second.path)
        #expect(try UnitBench(sampleRate: 44_100).render(unit, LV2.constant(0))[0].allSatisfy { $0 == 0.125 })
    }

    @Test func theFileOfAStateIsHeardInAnotherUnit() throws {
        let file = LV2.NumberFile("0.25")
        let unit = try LV2.unit("filed")
        try unit.setText("number", to: file.path)
        _ = try UnitBench().render(unit, LV2.constant(0))
        let restored = try LV2.unit("filed")
        try restored.restoreState(try unit.saveState())
        #expect(try UnitBench().render(restored, LV2.constant(0.5))[0].allSatisfy { $0 == 0.75 })
    }

    @Test func aFileThatThePluginDoesNotTakeIsSaid() throws {
        let file = LV2.NumberFile("0.25")
        let lines = PrintedLines()
        let unit = try LV2.unit("deaf")
        try unit.setText("number", to: file.path)
        #expect(try UnitBench().render(unit, LV2.constant(0.5))[0].allSatisfy { $0 == 0.5 })
        #expect(
            lines.settled.contains {
                $0.hasSuffix("number=\(file.path) was set, and the plug-in neither reports nor keeps it: it may not have taken it.")
            })
        #expect(lines.settled.count == 1)
    }

    @Test(arguments: ["Elsewhere", "Beside"])
    func aFileOfAPresetThatCannotBeReadIsSaidWithTheCommandThatGrantsIt(preset: String) throws {
        let lines = PrintedLines()
        let unit = try LV2.unit("filed")
        try unit.selectFactoryPreset(preset)
        let expected: Float = preset == "Beside" ? 0.75 : 0.25
        #expect(try UnitBench().render(unit, LV2.constant(0.25))[0].allSatisfy { $0 == expected })
        let sentence =
            "The preset \"Elsewhere\" needs the file \"/nowhere/at/all.txt\", which it cannot read: No such file or directory. "
            + "If the file is there, permit it with: bulkhead grant 'lv2:urn:bulkhead:test:filed' --read '/nowhere/at/all.txt'"
        #expect(lines.settled.count(where: { $0.hasSuffix(sentence) }) == (preset == "Elsewhere" ? 1 : 0), "\(lines.settled)")
    }

    @Test func ofAFileThatIsTakenNothingIsSaid() throws {
        let file = LV2.NumberFile("0.25")
        let lines = PrintedLines()
        for (name, text) in [("keeper", "file"), ("filed", "number"), ("misnamed", "number")] {
            let unit = try LV2.unit(name)
            try unit.setText(text, to: file.path)
            _ = try UnitBench().render(unit, LV2.constant(0.5))
        }
        #expect(lines.settled == [])
    }
}
