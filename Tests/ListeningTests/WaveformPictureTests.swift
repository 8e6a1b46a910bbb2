// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT

import AudioFiles
import Testing

@testable import Demonstration
@testable import Listening

@Suite struct WaveformPictureTests {
    private func draw(_ picture: WaveformPicture, _ audio: LoadedAudio) -> [String] {
        audio.withBlock { picture.lines($0, sampleRate: 48_000) }
    }

    private func ramp(frameCount: Int, channelCount: Int = 1) -> LoadedAudio {
        let audio = LoadedAudio(channelCount: channelCount, frameCount: frameCount, sampleRate: 48_000)!
        for channel in 0..<channelCount {
            for frame in 0..<frameCount {
                audio[channel][frame] = Float(frame) / Float(frameCount) * (frame % 2 == 0 ? 1 : -1)
            }
        }
        return audio
    }

    @Test(arguments: [TextAlphabet.braille, .ascii], [(20, 1), (80, 8), (133, 3)])
    func thePictureHasTheSizeAskedFor(alphabet: TextAlphabet, size: (width: Int, height: Int)) {
        let picture = WaveformPicture(width: size.width, height: size.height, alphabet: alphabet)
        let lines = draw(picture, ramp(frameCount: 4800, channelCount: 2))
        #expect(lines.count == size.height + 2)
        #expect(lines.prefix(size.height + 1).allSatisfy { $0.count == size.width })
        #expect(lines.allSatisfy { $0.count <= size.width })
    }

    @Test(arguments: [0, 1200, 2400, 4799]) func theCaretStandsInTheMarkersColumn(frame: Int) {
        let marker = WaveformPicture.Marker(frame: frame, label: "SIGKILL")
        let picture = WaveformPicture(width: 80, height: 4, alphabet: .ascii, markers: [marker])
        let last = draw(picture, ramp(frameCount: 4800)).last!
        #expect(last.contains("SIGKILL") && last.count <= 80)
        #expect(Array(last).firstIndex(of: "^") == frame * 80 / 4800)
    }

    @Test func markersThatWouldTouchGoOnRowsOfTheirOwn() {
        let markers = [100, 120, 2400].map { WaveformPicture.Marker(frame: $0, label: "SIGSTOP") }
        let picture = WaveformPicture(width: 60, height: 2, alphabet: .ascii, markers: markers)
        let lines = draw(picture, ramp(frameCount: 4800))
        #expect(lines.count == 2 + 2 + 2)
        #expect(lines.suffix(2).joined().filter { $0 == "^" }.count == 3)
    }

    @Test func theAxisIsInRoundMilliseconds() {
        let picture = WaveformPicture(width: 60, height: 1, alphabet: .ascii)
        let lines = draw(picture, ramp(frameCount: 4800))
        #expect(lines[1] == String(repeating: "+" + String(repeating: "-", count: 11), count: 5))
        #expect(lines[2] == "0 ms        20          40          60          80")
    }

    @Test func silenceIsALineAndFullScaleReachesBothEdges() {
        let silence = LoadedAudio(channelCount: 1, frameCount: 100, sampleRate: 48_000)!
        let flat = draw(WaveformPicture(width: 10, height: 3, alphabet: .ascii), silence)
        #expect(flat.prefix(3) == ["          ", "----------", "          "])
        for frame in 0..<100 { silence[0][frame] = frame % 2 == 0 ? 1 : -1 }
        let full = draw(WaveformPicture(width: 10, height: 3, alphabet: .braille), silence)
        #expect(full.prefix(3).allSatisfy { $0 == String(repeating: "⣿", count: 10) })
    }

    @Test func nonsenseIsDrawnWithoutATrap() {
        let audio = LoadedAudio(channelCount: 1, frameCount: 6, sampleRate: 48_000)!
        let samples = [Float.nan, .infinity, -.infinity, 1e38, -0.0, 1]
        for frame in 0..<6 { audio[0][frame] = samples[frame] }
        let picture = WaveformPicture(width: 200, height: 4, alphabet: .braille, fullScale: .nan)
        #expect(audio.withBlock { picture.lines($0, sampleRate: 0) }.count == 6)
        let nothing = LoadedAudio(channelCount: 1, frameCount: 0, sampleRate: 48_000)!
        #expect(draw(picture, nothing).count == 6)
        #expect(nothing.withBlock { SVGWaveform().text($0, sampleRate: .nan) }.hasSuffix("</svg>\n"))
    }

    @Test func onlyALocaleOfUTF8GetsBraille() {
        #expect(TextAlphabet.forLocale { $0 == "LANG" ? "C.UTF-8" : nil } == .braille)
        #expect(TextAlphabet.forLocale { $0 == "LC_ALL" ? "C" : "en_GB.utf8" } == .ascii)
        #expect(TextAlphabet.forLocale { $0 == "LC_ALL" ? "" : "en_GB.utf8" } == .braille)
        #expect(TextAlphabet.forLocale { _ in nil } == .ascii)
    }

    @Test func theSVGEscapesItsLabelsAndMarksTheFrame() {
        let marker = WaveformPicture.Marker(frame: 2400, label: "<SIGKILL & co>")
        let text = ramp(frameCount: 4800).withBlock {
            SVGWaveform(width: 400, markers: [marker]).text($0, sampleRate: 48_000)
        }
        #expect(text.contains(">&lt;SIGKILL &amp; co&gt;</text>"))
        #expect(text.contains(#"class="mark" x1="200" y1="0" x2="200""#))
    }
}
