export { AidFailed } from './aids/aid-failed.js';
export { AID_KINDS, type AidKind, aidModels, speechAids, type SpeechAids } from './aids/speech-aids.js';
export { type AudioChunk, cutAudio, type CutRequest, type CutSummary } from './cut/cut-audio.js';
export { AudioTooLong, AudioUndecodable } from './decode/audio-errors.js';
export { decode, DECODE_LIMITS, type DecodeLimits, type DecodeOptions, FFMPEG } from './decode/decode.js';
export { createEngine, type EngineName, type EngineSettings } from './engine/create-engine.js';
export type {
  ChunkAudio,
  EngineAbilities,
  EngineIdentity,
  EngineOptions,
  EngineResult,
  HeardWord,
  SpeechEngine,
} from './engine/engine.js';
export { ChunkUnreadable, EngineFailed, EngineUnavailable } from './engine/engine-errors.js';
export { AligningEngine } from './align/aligning-engine.js';
export type { Aligned, AlignRequest, SaidStretch, TimedWord, WordAligner } from './align/word-aligner.js';
export { PocketsphinxAligner } from './engine/pocketsphinx/alignment/pocketsphinx-aligner.js';
export { OpenAiEngine } from './engine/openai/openai-engine.js';
export type { OpenAiOptions } from './engine/openai/openai-options.js';
export { PocketsphinxEngine, type PocketsphinxOptions } from './engine/pocketsphinx/pocketsphinx-engine.js';
export { SherpaEngine, type SherpaOptions } from './engine/sherpa/sherpa-engine.js';
export { missingReaders } from './engine/pocketsphinx/vocabulary/letter-to-sound.js';
export { CATALOGUE } from './models/catalogue/catalogue.js';
export type { CatalogueFile, CatalogueModel } from './models/catalogue/entry.js';
export { findModel, installedModels, modelFolders } from './models/installed-models.js';
export { type Manifest, MANIFEST, type ManifestFile, manifestOf, readManifest } from './models/manifest.js';
export type { InstalledModel, ModelFamily, ModelKind } from './models/model.js';
export { ModelBroken, ModelMissing } from './models/model-errors.js';
export type { LanguageTeller } from './language/language-teller.js';
export type { Punctuator, TextWord } from './punctuation/punctuator.js';
export { describeVoices } from './speakers/describe-voices.js';
export type { ChunkVoices } from './speakers/chunk-voices.js';
export { comparable } from './speakers/kind.js';
export { tellSpeakers } from './speakers/tell-speakers.js';
export type { VoiceTurn } from './speakers/turns.js';
export type { VoiceDescriber } from './speakers/voice-describer.js';
export { VoicesInvalid } from './speakers/window-codec.js';
export { findTool } from './tool/find-tool.js';
export { type ToolProtection, toolProtection } from './tool/protection.js';
export { type Tool, ToolFailed, ToolMissing, ToolTimedOut } from './tool/tool-errors.js';
export { makeWorkFolder, noRoom, workIn } from './tool/work-folder.js';
export type { SampleSpan, SpeechFinder } from './vad/speech-finder.js';
export { decodeWav, encodeWav, WavInvalid } from './wav/wav.js';
export { readWav } from './wav/read-wav.js';
export { SAMPLE_RATE } from './wav/sample-rate.js';
