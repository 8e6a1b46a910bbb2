// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The folders of user presets: IDs of classic plug-ins contain characters that file names cannot.

import Testing

@testable import PluginHosting

@Suite struct PresetFolderTests {
    @Test(arguments: [
        ("aufx:gain:blkh", "aufx:gain:blkh"), ("ladspa:amp_1181:amp_mono", "ladspa:amp_1181:amp_mono"),
        ("lv2:http://example.org/a#b", "lv2:http:%2F%2Fexample.org%2Fa#b"), ("a%2Fb", "a%252Fb"), ("ä", "ä"),
    ])
    func anIDBecomesAFileName(_ id: String, _ name: String) { #expect(UserPresets.folderName(of: id) == name) }

    @Test func longIDsStayApart() {
        let names = ["x", "y"].map { UserPresets.folderName(of: "lv2:" + String(repeating: "/", count: 480) + "ä" + $0) }
        #expect(names[0] != names[1] && names.allSatisfy { $0.utf8.count <= 255 && !$0.contains("/") })
    }
}
