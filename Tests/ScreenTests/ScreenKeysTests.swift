// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What keys and the mouse ask of the host. Test thread.

import Control
import JSON
import Testing

@testable import Screen

@Suite struct ScreenKeysTests {
    private func json(_ text: String) -> JSONValue { JSONValue(json: Array(text.utf8)) ?? .null }

    @Test func arrowsTurnTheChosenParameter() {
        var bench = ScreenBench()
        _ = bench.press(.tab, .down)
        #expect(bench.press(.right) == [.set(path: "Reverb.mix", value: 32.0)])
        #expect(bench.press(.shiftLeft) == [.set(path: "Reverb.mix", value: 29.8)])
        #expect(
            bench.press(.home, .end, .delete) == [
                .set(path: "Reverb.mix", value: 0.0), .set(path: "Reverb.mix", value: 100.0), .set(path: "Reverb.mix", value: 30.0),
            ])
    }

    @Test func switchesFlipListsOpenAndValuesAreTyped() {
        var bench = ScreenBench()
        _ = bench.press(.tab, .down, .down)
        #expect(bench.press(.enter) == [.set(path: "Reverb.freeze", value: 1.0)])
        #expect(bench.press(.down, .enter, .down, .enter) == [.set(path: "Reverb.kind", value: 2.0)])
        #expect(bench.press(.down) == [] && bench.type("-4,5") == [])
        #expect(bench.press(.enter) == [.set(path: "Reverb.tilt", value: -4.5)])
        #expect(bench.type("3") == [] && bench.press(.escape) == [] && bench.state.dialog == nil)
    }

    @Test func aHostIsChosenByArrowsByItsNumberOrNotAtAll() {
        var bench = ScreenBench()
        bench.model.hosts = ["live", "play", "play-2"].map { ScreenHost(name: $0) }
        bench.state.dialog = ScreenDialog(.hosts)
        #expect(bench.press(.down, .enter) == [.attach("play")] && bench.press(.down, .down, .enter) == [.attach("play-2")])
        #expect(bench.type("1") == [.attach("live")] && bench.type("4") == [])
        #expect(bench.state.dialog != nil && bench.press(.escape) == [] && bench.state.dialog == nil)
        // The host that was chosen may have gone meanwhile.
        bench.state.dialog = ScreenDialog(.hosts, index: 2)
        bench.model.hosts = []
        #expect(bench.press(.enter) == [] && bench.type("q") == [] && bench.state.dialog == nil)
    }

    @Test func volumesAreTypedInDecibels() {
        var bench = ScreenBench()
        bench.state.choose("main")
        _ = bench.press(.tab)
        _ = bench.type("-20")
        #expect(bench.press(.enter) == [.set(path: "main.volume", value: 0.1)])
    }

    @Test func aPluginIsFoundByWordsAndPutBehindTheChosenNode() {
        var bench = ScreenBench()
        _ = bench.type("adel")
        #expect(bench.model.items(of: ScreenDialog(.browser, text: "del harris")).map(\.text) == ["Delayorama"])
        _ = bench.type(" harris")
        let plugin = JSONValue.text("lv2:http://plugin.org.uk/swh-plugins/delayorama")
        #expect(bench.press(.enter) == [.call("add", ["plugin": plugin, "after": "Reverb"], .added("Delayorama"))])
        // An instrument has no input.
        #expect(bench.type("/samp") == [])
        #expect(bench.press(.enter) == [.call("add", ["plugin": "aumu:samp:blkh"], .added("Sampler"))])
    }

    @Test func unitsAreMovedBypassedRemovedAndUndone() {
        var bench = ScreenBench()
        #expect(bench.type("b") == [.call("bypass", ["node": "Reverb", "on": true], .edit("Reverb is bypassed."))])
        #expect(bench.type("1") == [.call("bypass", ["node": "Gain", "on": true], .edit("Gain is bypassed."))])
        #expect(bench.type("<") == [.call("move", ["node": "Reverb", "before": "Delay"], .edit("Moved Reverb before Delay."))])
        // The main mixer stays where it is.
        #expect(bench.type(">").isEmpty)
        #expect(bench.type("x") == [.call("remove", ["node": "Reverb"], .edit("Removed Reverb."))])
        #expect(bench.state.node == "Delay")
        #expect(bench.type("u") == [.call("undo", [:], .undone)] && bench.press(.control("r")) == [.call("redo", [:], .undone)])
    }

    @Test func anExclamationMarkEndsAllNotes() {
        var bench = ScreenBench()
        #expect(bench.type("!") == [.call("panic", [:], .edit("All notes have ended."))])
    }

    @Test func scenesArePlayedKeptAndForgotten() {
        var bench = ScreenBench()
        _ = bench.type("s")
        #expect(bench.press(.down, .enter) == [.call("scene", ["name": "Chorus"], .edit("Went to the scene Chorus."))])
        #expect(bench.type("x") == [.call("removeScene", ["name": "Chorus"], .edit("Forgot the scene Chorus."))])
        _ = bench.type("nBridge")
        #expect(bench.press(.enter) == [.call("saveScene", ["name": "Bridge"], .edit("Kept the scene Bridge."))])
    }

    @Test func nodesArePatched() {
        var bench = ScreenBench()
        _ = bench.type("c")
        #expect(
            bench.press(.down, .enter) == [
                .call("disconnect", ["from": "Gain", "to": "Delay"], .edit("Disconnected Gain from Delay."))
            ])
        _ = bench.type("n")
        let actions = bench.press(.down, .enter, .down, .down, .enter)
        #expect(actions == [.call("connect", ["from": "Gain", "to": "main"], .edit("Connected Gain to main."))])
    }

    @Test func leavingAsksOnlyWhereItEndsTheHost() {
        var bench = ScreenBench()
        #expect(bench.type("q") == [.leave] && bench.press(.control("c")) == [.leave])
        bench.state.ownsHost = true
        #expect(bench.type("q").isEmpty && bench.press(.escape).isEmpty && bench.state.dialog == nil)
        #expect(bench.type("q").isEmpty && bench.press(.enter) == [.stop] && bench.press(.control("c")) == [.stop])
    }

    @Test func aViewGetsItsKeysAndItsMouse() {
        var bench = ScreenBench()
        #expect(bench.type("v").isEmpty && bench.state.showsViews && !bench.state.isViewShown(bench.model))
        // Before there is a picture the parameters are there.
        #expect(bench.press(.tab, .down, .right) == [.set(path: "Reverb.mix", value: 32.0)])
        let layout = ScreenLayout(bench.state)
        var view = ScreenView(node: "Reverb", columnCount: layout.view.columnCount, rowCount: layout.view.rowCount)
        view.number = 7
        let lines = #"[[0,[["Decay \u001B[2J",0,0,1],["●",16777219,0,0]]]]"#
        view.take(json(#"{"view":7,"columns":20,"rows":3,"lines":\#(lines)}"#))
        bench.model.view = view
        #expect(bench.grid.text.contains("Decay \u{FFFD}[2J●") && !bench.grid.text.contains("Mix"))
        func key(_ name: String, _ more: [String: JSONValue] = [:]) -> ScreenAction {
            .call("viewKey", ["view": 7.0, "key": .text(name)].merging(more) { $1 }, .nothing)
        }
        #expect(bench.press(.up) == [key("up")] && bench.press(.shiftLeft) == [key("left", ["modifiers": .list(["shift"])])])
        #expect(bench.type("x") == [key("x")] && bench.press(.control("c")) == [.leave])
        func mouse(_ kind: ScreenMouse.Kind, _ column: Int, _ row: Int, _ action: String, at place: (Double, Double)) -> Bool {
            let event = ScreenMouse(kind, column: layout.view.column + column, row: layout.view.row + row)
            let fields: [String: JSONValue] = [
                "view": 7.0, "action": .text(action), "column": .number(place.0), "row": .number(place.1),
            ]
            return bench.press(.mouse(event)) == [.call("viewMouse", fields, .nothing)]
        }
        #expect(mouse(.press, 3, 1, "press", at: (3, 1)))
        // A drag may leave the view, by one cell as far as the view is told.
        #expect(mouse(.drag, -30, -2, "drag", at: (-1, -1)) && mouse(.release, 4, 2, "release", at: (4, 2)))
        #expect(mouse(.wheelUp, 0, 0, "wheelUp", at: (0, 0)))
        // Tab leaves it, and then the keys are the screen's again.
        #expect(bench.press(.tab).isEmpty && bench.type("v").isEmpty && !bench.state.showsViews)
        #expect(bench.grid.text.contains("Mix"))
    }

    @Test func linesOfAViewThatAreNoneArePassedOver() {
        var view = ScreenView(node: "Reverb", columnCount: 20, rowCount: 3)
        for text in [
            #"{"columns":1e300,"rows":3}"#, #"{"columns":20,"rows":-1}"#, #"{"columns":0.5,"rows":1}"#, #"{"columns":"20"}"#, "5",
        ] {
            view.take(json(text))
            #expect(view.grid == nil)
        }
        let lines = #"[[99,[]],[-1,[]],5,[0,[[]]],[1,[["a",-1,1e20,0.5]]],[2,["b"]]]"#
        view.take(json(#"{"columns":20,"rows":3,"lines":\#(lines)}"#))
        #expect(view.grid?.text == "\na\n")
        view.take(json(#"{"blank":true}"#))
        #expect(view.grid == nil)
    }

    @Test func theMouseChoosesAndDragsSliders() {
        var bench = ScreenBench()
        let layout = ScreenLayout(bench.state)
        func press(_ kind: ScreenMouse.Kind, _ column: Int, _ row: Int) -> ScreenKey {
            .mouse(ScreenMouse(kind, column: column, row: row))
        }
        _ = bench.press(press(.press, 8, layout.chain.row + 1))
        #expect(bench.state.node == "Gain" && bench.state.focus == .chain)
        bench.state.choose("Reverb")
        let (first, last) = (layout.slider.column, layout.slider.endColumn - 1)
        #expect(bench.press(press(.press, first, layout.slider.row + 1)) == [.set(path: "Reverb.mix", value: 0.0)])
        // A drag goes on beyond the end of the slider, and on other rows.
        #expect(bench.press(press(.drag, last + 9, 2)) == [.set(path: "Reverb.mix", value: 100.0)])
        #expect(bench.press(press(.release, 0, 0), press(.drag, last, 2)).isEmpty)
        #expect(bench.press(press(.wheelUp, first + 1, layout.slider.row + 1)) == [.set(path: "Reverb.mix", value: 32.0)])
        // The hints can be pressed, too.
        let hint = layout.placedHints(bench.state, bench.model).first { $0.hint.name == "a" }
        _ = bench.press(press(.press, hint?.column ?? 0, layout.hints.row))
        #expect(bench.state.dialog?.kind == .browser)
    }

    @Test func pastedTextGoesToFieldsAlone() {
        var bench = ScreenBench()
        #expect(bench.press(.paste("xxqq")).isEmpty && bench.state.dialog == nil)
        _ = bench.press(.character("a"), .paste("deLay\n"))
        #expect(bench.state.dialog?.text == "deLay")
    }
}
