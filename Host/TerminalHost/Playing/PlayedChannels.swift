// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Chooses the number of channels for a file: as many as the sink has, up to those of the file. Main thread.

import AudioFiles
import AudioFormats
import PipeWireIO

/// The channels that play a file, and their speakers.
struct PlayedChannels: Equatable {
    let count: Int
    /// The speakers; nil if only the number of channels is known.
    let layout: ChannelLayout?

    /// Chooses the channels for a file on a sink with these channel names; an unknown sink has an empty list, and gets two channels.
    ///
    /// A file keeps its speakers if the sink has all of them. Otherwise it is mixed to the speakers of the sink, or to two.
    init(of file: ChannelLayout?, count: Int, onto sink: [String]) {
        let speakers = sink.compactMap { name in Speaker.allCases.first { $0.name == name } }
        let known = file.flatMap { $0.isDiscrete ? nil : $0 } ?? .usual(count)
        if count <= 2 || sink.count <= 2 {
            (self.count, layout) = (min(2, count), nil)
        } else if let file, file.isDiscrete, sink.count >= count {
            (self.count, layout) = (count, file)
        } else if let known, known.speakers.allSatisfy(speakers.contains) {
            (self.count, layout) = (count, known)
        } else if speakers.count == sink.count, sink.count <= count, let layout = ChannelLayout(speakers) {
            (self.count, self.layout) = (sink.count, layout)
        } else {
            (self.count, layout) = (2, nil)
        }
    }
}

extension DriverArguments {
    /// The names of the sink's channels that get sound; empty for an unknown sink.
    var sinkChannelNames: [String] {
        guard kind == .pipewire, let list = try? PipeWireDevices().list else { return [] }
        guard let output else { return list.defaultSink?.channelNames ?? [] }
        return list.sink(called: output)?.channelNames ?? []
    }
}
