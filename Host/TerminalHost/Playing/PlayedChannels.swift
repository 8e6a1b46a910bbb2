// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How many channels a file is played with: as many as the sink has, up to those of the file. Main thread.

import AudioFiles
import AudioFormats
import PipeWireIO

/// The channels that a file is played with, and their speakers.
struct PlayedChannels: Equatable {
    let count: Int
    /// Nil where only the number is known.
    let layout: ChannelLayout?

    /// Those of a file on a sink with channels of these names; an empty list is a sink of which nothing is known, which gets two.
    ///
    /// A file keeps its speakers where the sink has all of them. Otherwise it is mixed to those of the sink, or to two.
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
    /// The names of the channels of the sink that will be played to; empty where nothing is known of it.
    var sinkChannelNames: [String] {
        guard kind == .pipewire, let list = try? PipeWireDevices().list else { return [] }
        guard let output else { return list.defaultSink?.channelNames ?? [] }
        return list.sinks.first { $0.name == output }?.channelNames ?? []
    }
}
