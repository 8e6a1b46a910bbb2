// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Command lines that make no sense: one sentence that names the bad argument and the remedy.

import Testing

extension Commands {
    @Suite struct BadArgumentsTests {
        struct Line: CustomTestStringConvertible, Sendable {
            let arguments: [String]
            let status: Int32
            let reason: String
            var testDescription: String { arguments.joined(separator: " ") }

            init(_ text: String, _ status: Int32, _ reason: String) {
                arguments = text.split(separator: " ").map { $0 == "''" ? "" : String($0).replacing("_", with: " ") }
                self.status = status
                self.reason = reason
            }
        }

        private static let commands = [
            Line("", 2, "Say what to do."), Line("frobnicate", 2, "no command \"frobnicate\""),
            Line("rendr", 2, "Did you mean \"render\"?"), Line("help rendr", 2, "Did you mean \"render\"?"),
            Line("list --jsn", 2, "Did you mean --json?"), Line("list --frob", 2, "no option --frob"),
            Line("list extra", 2, "\"extra\" is one argument too many"), Line("list --type", 2, "--type needs a value"),
            Line("list --type x", 2, "four characters"), Line("info", 2, "Say which plug-in"),
            Line("info Gain extra", 2, "one argument too many"), Line("info Reverbb", 1, "Did you mean \"Reverb\"?"),
            Line("info aufx:rvrb:blkx", 1, "Did you mean \"aufx:rvrb:blkh\"?"), Line("info ''", 1, "no plug-in \"\""),
            Line("info D", 1, "aufx:dlay:blkh, aufx:dist:blkh"), Line("bundle", 2, "Say which library"),
            Line("bundle nothing.so", 1, "no such file"), Line("bundle in.wav", 1, "Couldn't make a bundle of \"in.wav\""),
            Line("demo out.xyz", 2, "end in .wav"), Line("demo nowhere/out.wav", 1, "create it first"),
            Line("demo --duration 1", 2, "from 4 to 600, not \"1\""), Line("live extra", 2, "one argument too many"),
            Line("validate", 2, "Say which plug-in to validate, or --all"), Line("validate Nope", 1, "no plug-in \"Nope\""),
            Line("validate Gain --all", 2, "not both"), Line("validate Gain --case tial", 2, "Did you mean \"tail\"?"),
            Line("validate --format vst", 2, "takes native, ladspa or lv2, not \"vst\""),
            Line("validate Gain --jobs 0", 2, "from 1 to 256, not \"0\""), Line("validate Gain --reproduce x", 2, "not \"x\""),
            Line("validate Gain --report in.wav", 1, "Couldn't make the folder \"in.wav\""),
            Line("validate-case Gain tail", 2, "which seed"), Line("validate-case --served", 2, "for the command's own use"),
            Line("live --work 0", 2, "--work takes a number from 1 to 100000, not \"0\""),
            Line("live --deadline 96", 2, "--deadline takes a number from 5 to 95, not \"96\""),
            Line("live --channels 9", 2, "from 1 to 8"), Line("live --quantum 0", 2, "from 16 to 8192"),
        ]

        private static let chains = [
            Line("render in.wav out.wav -e", 2, "-e needs a value"), Line("render in.wav out.wav -e Nope", 1, "\"Nope\""),
            Line("render in.wav", 2, "Say which file"), Line("render", 2, "Say which file"),
            Line("render in.wav out.wav more", 2, "\"more\" is one argument too many"),
            Line("render in.wav out.wav --set gain=3", 2, "put it after -e ID"),
            Line("render in.wav out.wav -e Gain --fallback wet", 2, "takes dry, last or silence, not \"wet\""),
            Line("render in.wav out.wav --fallback dry -e Gain", 2, "--fallback belongs to an effect"),
            Line("render in.wav out.wav --bypass -e Gain", 2, "--bypass belongs to an effect"),
            Line("render in.wav out.wav -e Gain --set gain", 2, "takes KEYPATH=VALUE, not \"gain\""),
            Line("render in.wav out.wav -e Gain --set =3", 2, "not \"=3\""),
            Line("render in.wav out.wav -e Gain --set gian=3", 1, "did you mean gain?"),
            Line("render in.wav out.wav -e Reverb --set zzzzzzzz=3", 1, "it has decay, lowDecay"),
            Line("render in.wav out.wav -e Gain --set gain=999", 1, "cannot be 999; its range is -96 to 24."),
            Line("render in.wav out.wav -e Gain --set gain=nan", 1, "\"nan\" is not a number"),
            Line("render in.wav out.wav -e Gain --set gain=-inf", 1, "\"-inf\" is not a number"),
            Line("render in.wav out.wav -e Gain --set gain=", 1, "\"\" is not a number"),
            Line("render in.wav out.wav -e Gain --preset Loud", 1, "no preset \"Loud\"; it has none"),
            Line("render in.wav out.wav -e Reverb --preset Larg_Hall", 1, "did you mean \"Large Hall\"?"),
            Line("render in.wav out.wav -e Reverb --preset ../../x", 1, "it has \"Small Room\""),
            Line("render in.wav out.wav -e Gain --automate gain", 2, "KEYPATH=SECONDS:VALUE"),
            Line("render in.wav out.wav -e Gain --automate gain=0:0,", 2, "not \"0:0,\""),
            Line("render in.wav out.wav -e Gain --automate gain=nan:0", 2, "not \"nan:0\""),
            Line("render in.wav out.wav -e Gain --automate gain=-1:0", 2, "not \"-1:0\""),
            Line("render in.wav out.wav -e Gain --automate gain=0:nan", 1, "\"nan\" is not a number"),
            Line("render in.wav out.wav -e Gain --automate gain=0:999", 1, "its range is -96 to 24."),
            Line("render in.wav out.wav --block-size 100000", 2, "from 1 to 8192, not \"100000\""),
            Line("render in.wav out.wav --tail nan", 2, "from 0 to 3600, not \"nan\""),
            Line("play", 2, "Say which file"), Line("play in.wav --driver alsa", 2, "pipewire or null"),
            Line("play in.wav --quantum 0", 2, "from 16 to 8192, not \"0\""),
            Line("play in.wav --driver null --output x", 2, "--output names a PipeWire sink"),
            Line("play in.wav --duration 0", 2, "--duration takes a number from 0.01"),
            Line("play in.wav --lop", 2, "Did you mean --loop?"),
        ]

        @Test(arguments: commands + chains) func theBadArgumentIsNamedAndNothingIsLeft(line: Line) throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 100)
            let outcome = try bench.run(line.arguments, seconds: 10)
            outcome.expectComplaint(status: line.status, line.reason)
            if line.status == 2 { #expect(outcome.errors.hasSuffix("--help\n")) }
            #expect(outcome.output.isEmpty && bench.names() == ["in.wav"])
        }
    }
}
