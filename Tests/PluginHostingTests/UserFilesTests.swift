// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The folders of the user's presets and chains, and the error where there is no home folder.

import FoundationEssentials
import Testing

@testable import PluginHosting

@Suite struct UserFilesTests {
    @Test(arguments: [
        (["HOME": "/home/x"], "/home/x/.local/share/bulkhead/chains/a.json"),
        (["HOME": "/home/x", "XDG_DATA_HOME": "/data"], "/data/bulkhead/chains/a.json"),
        (["HOME": "/home/x", "XDG_DATA_HOME": "data"], "/home/x/.local/share/bulkhead/chains/a.json"),
    ]) func theEnvironmentSaysWhere(_ environment: [String: String], _ path: String) throws {
        #expect(try UserFiles("chain", in: "chains", fileExtension: "json", environment: environment).path(of: "a") == path)
    }

    @Test(arguments: [[:], ["HOME": ""], ["HOME": "home"], ["XDG_DATA_HOME": ""]])
    func withoutAHomeNothingIsSavedOrFoundAndThatIsSaid(_ environment: [String: String]) throws {
        let files = UserFiles("chain", in: "chains", fileExtension: "json", environment: environment)
        #expect(files.names.isEmpty)
        for attempt in [{ _ = try files.save(Data([1]), as: "a") }, { try files.delete("a") }] {
            let error = #expect(throws: HostingError.self, performing: attempt)
            #expect(error?.description.contains("either XDG_DATA_HOME nor HOME says where") == true)
        }
    }
}
