// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead trace: prints the messages between the host and plug-ins while a file is rendered. Main thread.

import Glibc
import LinuxSystem

struct TraceCommand: Command {
    static let name = "trace"
    static let summary = "shows the messages between the host and plug-ins while a file is rendered"
    static let synopsis = "IN (-e ID [--set KEYPATH=VALUE]… [--automate …])… [--json]"
    static let operands = [Operand("IN", .file)]
    static var table: [OptionReader<Self>] {
        let other = ["--trace", "--report", "--strict", "--format", "--rate"]
        let rows = FileRender.table.filter { row in !row.option.names.contains(where: other.contains) }
        return rows.lifted(to: \.render) + [.flag("--json", "A JSON object for each line") { $0.isJSON = true }]
    }
    static let details = """
        Each message, request, reply and event is a line with its time, its direction, the process and its fields. What is rendered is
        thrown away; `bulkhead render --trace FILE` keeps it. A thread beside the others reads what passes, so that the trace changes
        nothing. It may miss a request of a very short block; the numbers of the requests show that.
        """
    static let examples = ["in.wav -e Gain --automate gain=0:-6,1:0 --block-size 512", "in.wav -e ladspa:amp_1181:amp --json"]

    private var input: String?
    private var render = FileRender()
    private var isJSON = false

    mutating func take(_ operand: String) -> Bool {
        guard input == nil else { return false }
        input = operand
        return true
    }

    func finish(_ arguments: Arguments) throws(CommandError) {
        if input == nil { throw arguments.usage("Say which file to render.") }
    }

    func run() throws {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let path = "\(folder)/bulkhead-trace-\(getpid()).wav"
        defer { unlink(path) }
        try TraceFile(isJSON: isJSON).begin()
        try render.run(input ?? "", into: path)
    }
}
