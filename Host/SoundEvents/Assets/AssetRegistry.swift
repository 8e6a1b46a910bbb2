// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The registry of sounds and trees. Any thread.

import AudioFiles
import AudioFormats
import Synchronization

/// Holds sounds and trees under their identifiers.
///
/// `[any]` Registering reads a file at once, at the rate of the engine. An asset that is taken away sounds on in the events that play it;
/// no other event can start with it.
public final class AssetRegistry: Sendable {
    enum Asset: Sendable {
        case sound(SoundAsset)
        case tree(RegisteredTree)
    }

    private struct State {
        var assets: [String: Asset] = [:]
        var count = 0

        /// An identifier that no asset has.
        mutating func nextIdentifier() -> String {
            repeat { count += 1 } while assets["asset \(count)"] != nil
            return "asset \(count)"
        }
    }

    /// The loudness in LUFS to which assets are brought that ask for it.
    ///
    /// It is that of EBU R 128 for programmes. It leaves room for several sounds at a time, and other tools can check it.
    public static let targetLoudness = -23.0

    private let state = Mutex(State())
    private let sampleRate: Double
    private let seed: UInt64

    init(sampleRate: Double, seed: UInt64) { (self.sampleRate, self.seed) = (sampleRate, seed) }

    /// The identifiers of all assets, in their order.
    public var identifiers: [String] { state.withLock { $0.assets.keys.sorted() } }

    /// Registers the sound of a file; returns its identifier.
    ///
    /// Without an identifier it gets one. A streamed file is read as a whole here if it is normalized. Throws `file`, `emptyAudio`,
    /// `loudness`, `alreadyRegistered`, and `tooFast` for a streamed file whose rate is more than four times the engine's.
    @discardableResult
    public func registerSound(
        file path: String, storage: AssetStorage = .resident, normalization: AssetNormalization = .none, id: String? = nil
    ) throws(SoundEventError) -> String {
        switch storage {
        case .resident: try registerResident(path, normalization, id)
        case .streamed: try registerStreamed(path, normalization, id)
        }
    }

    private func registerStreamed(
        _ path: String, _ normalization: AssetNormalization, _ id: String?
    ) throws(SoundEventError) -> String {
        let format: AudioFileFormat
        let audio: LoadedAudio?
        do throws(AudioFileError) {
            format = try AudioFileReader(path: path).format
            audio = normalization == .none ? nil : try LoadedAudio.load(path)
        } catch { throw .file(error) }
        guard format.frameCount > 0 else { throw .emptyAudio(path) }
        guard format.sampleRate <= 4 * sampleRate else { throw .tooFast(path) }
        var gain = 1.0
        if let audio { gain = try self.gain(of: audio, format.channelLayout, normalization, path) }
        let file = StreamedFile(path: path, format: format)
        return try add(id) { .sound(SoundAsset(.file(file), layout: format.channelLayout, gain: gain, AssetUse($0))) }
    }

    private func registerResident(
        _ path: String, _ normalization: AssetNormalization, _ id: String?
    ) throws(SoundEventError) -> String {
        let audio: LoadedAudio
        do throws(AudioFileError) { audio = try LoadedAudio.load(path, sampleRate: sampleRate) } catch { throw .file(error) }
        return try register(audio, normalization, id: id, name: path)
    }

    /// Registers samples, one array a channel, of the same length; returns their identifier.
    ///
    /// Shorter channels end in silence. The rate is one that a file can have, from 8 to 768 kHz. Throws `emptyAudio`, `layout`, `file`,
    /// `loudness` and `alreadyRegistered`.
    @discardableResult
    public func registerSound(
        samples: [[Float]], sampleRate: Double, layout: ChannelLayout? = nil, normalization: AssetNormalization = .none,
        id: String? = nil
    ) throws(SoundEventError) -> String {
        let (name, frameCount) = (id ?? "samples", samples.map(\.count).max() ?? 0)
        guard !samples.isEmpty, frameCount > 0, AudioFileFormat.sampleRates.contains(sampleRate),
            let audio = LoadedAudio(channelCount: samples.count, frameCount: frameCount, sampleRate: sampleRate)
        else { throw .emptyAudio(name) }
        for (channel, samples) in samples.enumerated() { _ = audio[channel].update(from: samples) }
        guard sampleRate != self.sampleRate else { return try register(audio, layout: layout, normalization, id: id, name: name) }
        return try register(converted(audio, name), layout: layout, normalization, id: id, name: name)
    }

    private func converted(_ audio: LoadedAudio, _ name: String) throws(SoundEventError) -> LoadedAudio {
        do throws(AudioFileError) {
            return try RateConverter.convert(audio, to: sampleRate, path: name)
        } catch { throw .file(error) }
    }

    private func register(
        _ audio: LoadedAudio, layout: ChannelLayout? = nil, _ normalization: AssetNormalization, id: String?, name: String
    ) throws(SoundEventError) -> String {
        guard audio.frameCount > 0, audio.channelCount > 0 else { throw .emptyAudio(name) }
        let layout = layout ?? audio.channelLayout
        if let layout, layout.channelCount != audio.channelCount {
            throw .layout(name, channelCount: audio.channelCount, layout: layout.channelCount)
        }
        let gain = try gain(of: audio, layout, normalization, name)
        return try add(id) { .sound(SoundAsset(.memory(audio), layout: layout, gain: gain, AssetUse($0))) }
    }

    private func gain(
        of audio: LoadedAudio, _ layout: ChannelLayout?, _ normalization: AssetNormalization, _ name: String
    ) throws(SoundEventError) -> Double {
        switch normalization {
        case .none: 1
        case .dynamic: try AssetLoudness.gain(of: audio, layout, to: Self.targetLoudness, name)
        }
    }

    /// Registers a tree; returns its identifier.
    ///
    /// Its sounds need not be there before an event of it is made. Throws `tree` and `alreadyRegistered`.
    @discardableResult
    public func registerTree(_ root: SoundNode, id: String? = nil) throws(SoundEventError) -> String {
        let program = try TreeProgram(root, id: id ?? "tree")
        return try add(id) { [seed] name in
            .tree(RegisteredTree(program, seed: SeededRandom(seed: seed, part: name).seed, AssetUse(name)))
        }
    }

    private func add(_ id: String?, _ make: (String) -> Asset) throws(SoundEventError) -> String {
        let result = state.withLock { state -> Result<String, SoundEventError> in
            let name = id ?? state.nextIdentifier()
            guard state.assets[name] == nil else { return .failure(.alreadyRegistered(name)) }
            state.assets[name] = make(name)
            return .success(name)
        }
        return try result.get()
    }

    /// Takes an asset away; false if there is none.
    ///
    /// The closure is called once, when no started event holds the asset any more: by this call, or like the closures of events. Without
    /// an asset it is not called.
    @discardableResult
    public func unregister(_ id: String, completion: (@Sendable () -> Void)? = nil) -> Bool {
        guard let asset = state.withLock({ $0.assets.removeValue(forKey: id) }) else { return false }
        switch asset {
        case .sound(let sound): sound.use.withdraw(completion)
        case .tree(let tree): tree.use.withdraw(completion)
        }
        return true
    }

    func sound(_ id: String) throws(SoundEventError) -> SoundAsset {
        switch state.withLock({ $0.assets[id] }) {
        case .sound(let sound): return sound
        case .tree: throw .wrongKind(id, wanted: "sound")
        case nil: throw .unknownAsset(id)
        }
    }

    func tree(_ id: String) throws(SoundEventError) -> RegisteredTree {
        switch state.withLock({ $0.assets[id] }) {
        case .tree(let tree): return tree
        case .sound: throw .wrongKind(id, wanted: "tree")
        case nil: throw .unknownAsset(id)
        }
    }
}

/// A tree, and the choices that its events have made.
final class RegisteredTree: Sendable {
    let program: TreeProgram
    let use: AssetUse
    private let choices: Mutex<TreeChoices>

    init(_ program: TreeProgram, seed: UInt64, _ use: AssetUse) {
        (self.program, self.use) = (program, use)
        choices = Mutex(TreeChoices(program, seed: seed))
    }

    /// Chooses the leaves of a starting event, and the seed of its own chances.
    func choose(texts: [String]) -> (leaves: [Int], seed: UInt64) {
        choices.withLock { ($0.leaves(of: program, texts: texts), $0.nextSeed()) }
    }
}
