// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead bundle: makes a bundle of a plug-in that was built. Main thread.

import Console
import FoundationEssentials
import Glibc
import PluginHosting

struct BundleCommand: Command {
    static let name = "bundle"
    static let summary = "makes a bundle of a plug-in's library"
    static let synopsis = "LIBRARY… [--folder FOLDER]"
    static let operands = [Operand("LIBRARY", .file, .many)]
    static var table: [OptionReader<Self>] {
        [
            .text("--folder", "FOLDER", offering: .folder, "Write the bundles to this folder", default: "the folder of the library")
            {
                $0.folder = $1
            }
        ]
    }
    static let details = """
        LIBRARY is `libNAME.so`, which the Swift package manager builds from a dynamic library product. It may also be an
        executable that speaks the protocol itself. The command starts the plug-in once and asks for its description.
        """
    static let examples = [".build/release/libChorus.so --folder ~/.local/lib/bulkhead"]

    private var plugins: [String] = []
    private var folder: String?

    mutating func take(_ operand: String) -> Bool {
        plugins.append(operand)
        return true
    }

    func finish(_ arguments: Arguments) throws(CommandError) {
        if plugins.isEmpty { throw arguments.usage("Say which library to make a bundle of.") }
    }

    func run() throws {
        for plugin in plugins {
            guard FileManager.default.isReadableFile(atPath: plugin) else {
                throw CommandError.failed("Couldn't make a bundle of \"\(plugin)\": there is no such file, or it cannot be read.")
            }
            let beside = FilePath.folder(of: plugin)
            let target = folder ?? (beside.isEmpty ? "." : beside)
            Terminal.print(try BundleWriter.write(plugin: plugin, launcher: Self.launcher, folder: target))
        }
    }

    /// The launcher beside this command in a build, or in the library folder of an installation.
    private static var launcher: String {
        let configuration = HostConfiguration.current
        return configuration.launcherPath ?? "\(configuration.supportFolders.first ?? "")/bulkhead-extension"
    }
}
