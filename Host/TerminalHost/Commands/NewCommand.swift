// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead new: writes a package for the user's own plug-in. Main thread.

import AudioUnits
import Console
import FoundationEssentials
import PluginHosting

struct NewCommand: Command {
    static let name = "new"
    static let summary = "writes a package for a plug-in of your own"
    static let synopsis = "NAME [--folder FOLDER] [--author NAME] [--subtype CODE] [--manufacturer CODE] [--sdk FOLDER]"
    static let operands = [Operand("NAME", .text)]
    static var table: [OptionReader<Self>] {
        [
            .text(
                "--folder", "FOLDER", offering: .folder, "Write the package to this folder", default: "a folder called NAME, here"
            ) {
                $0.folder = $1
            },
            .text("--author", "NAME", "The name of the maker, for people", default: "your login name") {
                guard let author = PackageAuthor($1) else {
                    throw usage("--author takes a name without quotes and control characters.")
                }
                $0.author = author
            },
            .text("--subtype", "CODE", "Four characters for the effect", default: "made of NAME") {
                $0.subtype = try Self.code("--subtype", $1)
            },
            .text("--manufacturer", "CODE", "Four characters for its maker", default: "made of the author's name") {
                $0.manufacturer = try Self.code("--manufacturer", $1)
            },
            .text("--sdk", "FOLDER", offering: .folder, "The sources of Bulkhead", default: "those of this command") {
                $0.sdk = $1
            },
        ]
    }
    static let details = """
        NAME has letters, digits and spaces: "Sweet Echo" becomes the package SweetEcho. The package has a tremolo to replace,
        its tests, the extension around it, and a program that plays a loop through it while you write. Two commands make a
        plug-in of it:

            swift build -c release --product SweetEcho
            bulkhead bundle .build/release/libSweetEcho.so --folder ~/.local/lib/bulkhead

        Type, subtype and manufacturer together identify an effect, so keep them once people have yours.
        """
    static let examples = ["\"Sweet Echo\"", "\"Sweet Echo\" --author \"Northern Lights\" --subtype swec --manufacturer Nort"]

    private var given: String?
    private var folder: String?
    private var author = PackageAuthor.ofLogin
    private var subtype: FourCharCode?
    private var manufacturer: FourCharCode?
    private var sdk: String?

    mutating func take(_ operand: String) -> Bool {
        guard given == nil else { return false }
        given = operand
        return true
    }

    func finish(_ arguments: Arguments) throws(CommandError) { _ = try package() }

    private func package() throws(CommandError) -> PackageName {
        guard let given else { throw Self.usage("Say what the plug-in is called.") }
        if let package = PackageName(given) { return package }
        throw Self.usage("A plug-in's name has letters, digits and spaces, and begins with a letter, unlike \"\(given)\".")
    }

    private static func code(_ option: String, _ text: String) throws(CommandError) -> FourCharCode {
        guard let code = FourCharCode(text), code != .any, !text.contains(where: { "\"\\".contains($0) }) else {
            throw usage("\(option) takes four characters, not \"\(text)\".")
        }
        return code
    }

    func run() throws {
        let package = try package()
        let folder = folder ?? package.module
        let template = try PackageTemplate(sdk: sdk)
        try template.check(package)
        let values = PackageValues(
            name: package, author: author.name, subtype: subtype ?? package.subtype, manufacturer: manufacturer ?? author.code)
        try template.write(values, to: folder)
        Terminal.print(Self.nextSteps(package, folder))
    }

    private static func nextSteps(_ package: PackageName, _ folder: String) -> String {
        """
        Made the package "\(folder)". To make a plug-in of it:

            cd \(ShellWord.quoted(folder))
            swift build -c release --product \(package.module)
            bulkhead bundle .build/release/lib\(package.module).so --folder ~/.local/lib/bulkhead

        To test it, and to hear it while you write:

            swift test
            swift run -c release \(package.module)Player
        """
    }
}
