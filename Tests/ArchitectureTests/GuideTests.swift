// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Code that a guide shows is code that is compiled.

import FoundationEssentials
import Testing

@Suite struct GuideTests {
    private static func text(_ name: String) -> String {
        let folders = #filePath.split(separator: "/").dropLast(3)
        let path = "/" + folders.joined(separator: "/") + "/" + name
        return FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    @Test func theViewInTheGuideIsTheOneOfTheTemplate() {
        let guide = Self.text("Plugins/README.md").split(separator: "```swift\n").dropFirst().compactMap {
            $0.split(separator: "```\n").first
        }
        let source = Self.text("Plugins/Template/Sources/TemplateEffect/TemplateEffectView.swift")
        #expect(guide.count == 1 && source.count > 500)
        for code in guide { #expect(code.hasPrefix("import PluginSDK\n") && source.hasSuffix(code)) }
    }
}
