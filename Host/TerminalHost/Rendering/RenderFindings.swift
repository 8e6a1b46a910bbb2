// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The oddities of a rendering without a failure. Main thread.

import AudioFiles
import AudioFormats
import AudioGraph
import AudioUnits
import Console
import FoundationEssentials
import GraphDocuments
import PluginHosting
import Realtime

/// An oddity of a rendered file that its user may not want.
struct RenderFinding: Codable, Equatable {
    enum Kind: String, Codable {
        /// The input holds NaN or infinity.
        case invalidInput
        /// The output is silent although the input is not.
        case silent
        /// The format of the file has limited samples to full scale.
        case clipped
        /// The format of the file cannot store the meaning of the channels.
        case layoutLost
        /// An effect has returned its input.
        case changedNothing
        /// A side chain of an effect is not connected.
        case sideChainUnconnected
        /// An instrument is played without MIDI.
        case noMIDI
        /// MIDI reaches an instrument, and no note.
        case noNotes
        /// A MIDI file is damaged.
        case damagedMIDI
        /// An instrument plays several ports of a MIDI file on the same channels.
        case mixedPorts
        /// An instrument has no sound for some notes.
        case notesUnplayed
        /// An instrument lacks some programs, and has played others in their place.
        case programsSubstituted
        /// A unit has dropped values or MIDI messages.
        case eventsDropped
        /// The effects still sound at the end of the file.
        case tailCut
        /// An effect has changed its latency after the beginning of the file.
        case latencyChanged
    }

    let kind: Kind
    let description: String
}

/// Observes the sound of a rendering, to report its oddities later.
struct RenderFindings {
    /// True if any input was not silent; always true for sources that are not files.
    var isInputAudible = false
    /// The samples of the input that were NaN or infinite.
    var invalidInputCount = 0
    /// True if any output was not silent.
    private(set) var isOutputAudible = false
    /// The latency that was cut off the start, and the latency at the end, in frames.
    var latencies = (first: 0, last: 0)

    /// The seconds of tail after which the file was cut, although the effects still sounded; nil without a cut.
    var cutAfterSeconds: Double?

    mutating func hear(_ block: AudioBlock) { isOutputAudible = isOutputAudible || block.isAudible }

    /// The oddities of the rendering, the most important first.
    func all(of effects: BuiltGraph, in writers: [AudioFileWriter]) -> [RenderFinding] {
        invalidInput + effects.midiDamage.map { RenderFinding(kind: .damagedMIDI, description: $0) }
            + effects.mixedPorts.map { RenderFinding(kind: .mixedPorts, description: $0) }
            + silence(effects.members, writers[0].path) + writers.flatMap { clipping($0) + layout($0) }
            + effects.members.flatMap { of($0, hearsMIDI: effects.hearsMIDI($0.unit), hearsNotes: effects.hearsNotes($0.unit)) }
            + latency + cut
    }

    private var invalidInput: [RenderFinding] {
        guard invalidInputCount > 0 else { return [] }
        let samples = invalidInputCount == 1 ? "1 sample of the input is" : "\(invalidInputCount) samples of the input are"
        return [RenderFinding(kind: .invalidInput, description: "\(samples) NaN or infinite; they were rendered as 0.")]
    }

    private func silence(_ members: [UnitResources], _ path: String) -> [RenderFinding] {
        guard isInputAudible, !isOutputAudible else { return [] }
        let mute = members.first { !$0.hasSounded && !$0.isBypassed }
        let reason = mute.map { ": \"\($0.unit.name)\" put out no sound" } ?? ""
        return [RenderFinding(kind: .silent, description: "\"\(path)\" is silent\(reason).")]
    }

    private func layout(_ writer: AudioFileWriter) -> [RenderFinding] {
        guard !writer.keepsLayout else { return [] }
        return [
            RenderFinding(
                kind: .layoutLost,
                description:
                    "\"\(writer.path)\" cannot say which speakers its channels belong to, if any; write a .wav to keep that.")
        ]
    }

    private func clipping(_ writer: AudioFileWriter) -> [RenderFinding] {
        let count = writer.clippedSampleCount
        guard count > 0 else { return [] }
        let excess = Double(Maths.decibels(fromGain: writer.clippedPeak) * 10).rounded(.up) / 10
        let samples = count == 1 ? "1 sample" : "\(count) samples"
        return [
            RenderFinding(
                kind: .clipped,
                description: "\(samples) of \"\(writer.path)\" were clipped, for the format ends at full scale. "
                    + "Make the sound \(excess) dB quieter, or write floating point, such as .wav.")
        ]
    }

    private func of(_ member: UnitResources, hearsMIDI: Bool, hearsNotes: Bool) -> [RenderFinding] {
        let name = member.unit.name
        var findings = member.unconnectedSideChains.map {
            RenderFinding(
                kind: .sideChainUnconnected,
                description: "Nothing is connected to \"\($0)\" of \"\(name)\"; a graph file can connect it (bulkhead graph).")
        }
        if !hearsNotes, member.unit.component.description.type == ComponentType.instrument.code {
            findings.append(
                hearsMIDI
                    ? RenderFinding(kind: .noNotes, description: "\"\(name)\" is an instrument, and the MIDI for it has no notes.")
                    : RenderFinding(kind: .noMIDI, description: "\"\(name)\" is an instrument, and no MIDI reaches it."))
        }
        if hearsNotes, member.unit.component.description.type == ComponentType.generator.code,
            !member.unit.description.flags.contains(.midiInput)
        {
            findings.append(
                RenderFinding(
                    kind: .noMIDI, description: "\"\(name)\" takes no MIDI, so no note is heard: only its parameters play it."))
        }
        findings += Self.unplayed(member) + [Self.dropped(member.droppedEventCount, by: name)].compactMap { $0 }
        if isInputAudible, !hearsMIDI, member.hasSounded, !member.hasChangedSound, !member.isBypassed,
            member.replacedBlockCount == 0
        {
            findings.append(
                RenderFinding(kind: .changedNothing, description: "\"\(name)\" changed nothing: it put out what came in."))
        }
        return findings
    }

    private static func unplayed(_ member: UnitResources) -> [RenderFinding] {
        let (notes, programs) = (member.unplayedNoteCount, member.substitutedProgramCount)
        var findings: [RenderFinding] = []
        if notes > 0 {
            let unheard = notes == 1 ? "1 note, which was" : "\(notes) notes, which were"
            findings.append(
                RenderFinding(
                    kind: .notesUnplayed, description: "\"\(member.unit.name)\" has no sound for \(unheard) not heard."))
        }
        if programs > 0 {
            let lacking = programs == 1 ? "a program that its bank lacks was" : "\(programs) programs that its bank lacks were"
            findings.append(
                RenderFinding(
                    kind: .programsSubstituted,
                    description: "\"\(member.unit.name)\": \(lacking) replaced by the nearest; a larger sound bank may have them."))
        }
        return findings
    }

    /// The finding of events that a unit has dropped; nil without any.
    static func dropped(_ count: Int, by name: String) -> RenderFinding? {
        guard count > 0 else { return nil }
        let events = count == 1 ? "1 value or MIDI message" : "\(count) values and MIDI messages"
        return RenderFinding(
            kind: .eventsDropped,
            description: "\"\(name)\" dropped \(events): there was no room for so many, or it does not understand them.")
    }

    private var cut: [RenderFinding] {
        guard let cutAfterSeconds else { return [] }
        return [
            RenderFinding(
                kind: .tailCut,
                description:
                    "The effects still sounded \(Int(nearestFrame: cutAfterSeconds)) seconds after the end of the input, where the file ends; "
                    + "say how long they may with --tail.")
        ]
    }

    private var latency: [RenderFinding] {
        guard latencies.first != latencies.last else { return [] }
        return [
            RenderFinding(
                kind: .latencyChanged,
                description:
                    "The latency of the effects changed from \(latencies.first) to \(latencies.last) frames while they rendered; "
                    + "the end of the file is shifted by as much.")
        ]
    }
}

extension [RenderFinding] {
    /// Prints each finding; throws if there is one and `isStrict` is true.
    func complain(ofFile path: String, isStrict: Bool) throws {
        for finding in self { Terminal.printError(finding.description) }
        guard isStrict, !isEmpty else { return }
        let what = count == 1 ? "what was found above is a failure" : "the \(count) things found above are failures"
        throw CommandError.failed("\"\(path)\" was written, but with --strict \(what).")
    }
}
