// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// States of units, as messages carry them, as presets keep them, and as the LV2 bridge keeps those of its plug-ins. The
// fuzzer's thread.

import AudioUnits
import ControlMessages
import PluginSDK

@testable import LV2
@testable import PluginHosting

extension FuzzTarget {
    static let state = FuzzTarget("state", seeds: [Specimens.state.encoded]) { bytes in
        guard let state = try? FullState(encoded: bytes) else { return }
        guard let again = try? FullState(encoded: state.encoded) else { fatalError("not readable twice") }
        precondition(again.encoded == state.encoded)
        try? state.check(against: Specimens.description)
    }

    static let preset = FuzzTarget("preset", seeds: [presetSeed]) { bytes in
        guard let preset = try? UserPresets.load(path: FuzzedFile.path(holding: bytes)) else { return }
        let state = preset.state
        guard let again = try? FullState(encoded: state.encoded) else { fatalError("not readable twice") }
        precondition(again.encoded == state.encoded)
        precondition(!preset.isOwn, "rights without a word")
    }

    /// Nobody has sealed it.
    private static let presetSeed =
        Array("BLKHPRS3".utf8) + [UInt8](repeating: 0, count: SHA256.digestByteCount + 4) + Specimens.state.encoded

    static let lv2State = FuzzTarget("lv2-state", seeds: lv2States.map(\.bytes)) { bytes in
        guard let state = try? SavedState(bytes, of: lv2Plugin) else { return }
        guard let again = try? SavedState(state.bytes, of: lv2Plugin) else { fatalError("not readable twice") }
        precondition(again.bytes == state.bytes)
        for name in state.files.keys {
            precondition(!FileName.isAbsolute(name.bytes) && !name.parts.contains(Array("..".utf8)), "a file outside")
        }
    }

    private static let lv2Plugin = "urn:a"

    private static var lv2States: [SavedState] {
        var rich = SavedState(plugin: lv2Plugin, preset: "urn:a:preset")
        rich.properties = [
            SavedState.Property(key: "urn:k", type: Names.atom + "Int", flags: 3, bytes: [1, 0, 0, 0]),
            SavedState.Property(key: "urn:p", type: Names.atom + "Path", flags: 3, bytes: Array("b/c.wav".utf8) + [0]),
        ]
        for name in ["a", "b/c.wav"] { FileName(Array(name.utf8)).map { rich.files[$0] = [1, 2, 3] } }
        return [SavedState(plugin: lv2Plugin), rich]
    }
}
