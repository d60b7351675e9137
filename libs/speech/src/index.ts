export { AuxiliaryModelError } from './auxiliary-models/sherpa-model.js';
export {
  type AuxiliaryModelKind,
  pickOneAuxiliaryModelPerKind,
  createAuxiliaryModelsFromFolder,
  type AuxiliaryModels,
} from './auxiliary-models/auxiliary-models.js';
export { type AudioChunk, chunkAudioToSink } from './chunking/chunk-audio.js';
export type { MultichannelMode } from './channels/find-right-channel-gain-unless-mixed.js';
export { type PackedAudioSpan, PackedAudioTimeMap } from './chunking/packed-audio-time-map.js';
export { AudioTooLongError, DecoderUnavailableError, UndecodableAudioError } from './decode/audio-errors.js';
export { decodeAudioToMono, type DecodeLimits } from './decode/decode-audio.js';
export { checkDecoder, decodeSampleOfSilence, FFMPEG_TOOL } from './decode/decoder-health.js';
export { sanitizeTranscriptionForStorage } from './engine/sanitize-transcription-for-storage.js';
export { createEngine } from './engine/create-engine.js';
export { chooseEngineForInstallation } from './engine/choice/choose-engine-for-installation.js';
export { type EngineChoice, formatImprovement } from './engine/choice/engine-choice.js';
export {
  type ChunkFile,
  type EngineCapabilities,
  EngineFailedError,
  type EngineIdentity,
  type ChunkTranscription,
  EngineUnavailableError,
  type RecognizedWord,
  type SpeechEngine,
  UnreadableChunkError,
} from './engine/engine.js';
export { WordAndTermAlignmentEngineWrapper } from './alignment/word-and-term-alignment-engine-wrapper.js';
export type {
  AlignmentRequest,
  AlignmentSegment,
  AlignedWord,
  WordAndTermAligner,
} from './alignment/word-and-term-aligner.js';
export { PocketsphinxAligner } from './engine/pocketsphinx/alignment/pocketsphinx-aligner.js';
export { OpenAiEngine } from './engine/openai/openai-engine.js';
export type { OpenAiOptions } from './engine/openai/openai-client.js';
export { PocketsphinxEngine, type PocketsphinxOptions } from './engine/pocketsphinx/pocketsphinx-engine.js';
export { SherpaEngine } from './engine/sherpa/sherpa-engine.js';
export {
  probeExecutionProvider,
  formatExecutionProviderProblemsAndAdvice,
  listNvidiaDeviceFileNames,
  type ProviderLookupOptions,
  type ExecutionProviderProbeResult,
} from './sherpa/provider/probe-execution-provider.js';
export { findMissingG2pPrograms } from './engine/pocketsphinx/vocabulary/grapheme-to-phoneme.js';
export { loadCatalogue } from './models/catalogue/load-catalogue.js';
export type { CatalogueFile, CatalogueModel } from './models/catalogue/catalogue-model.js';
export { partitionModelsByStoredCheckResult } from './auxiliary-models/partition-models-by-stored-check-result.js';
export {
  checkModelAndSaveResult,
  type ModelCheckOptions,
} from './models/check/check-model-and-save-result.js';
export type { ReferenceDialogue } from './models/check/transcribe-dialogue.js';
export { type ModelCheckRecord, readModelCheck, writeModelCheck } from './models/check/model-check.js';
export { getInstalledModel, listInstalledModels, listModelFolderNames } from './models/installed-models.js';
export { type Manifest, MANIFEST_FILE_NAME, pickManifestFields, readManifest } from './models/manifest.js';
export { type InstalledModel, InvalidModelError, ModelNotFoundError } from './models/installed-model.js';
export { supportsLanguage } from './engine/language-tag.js';
export type { LanguageIdentifier } from './auxiliary-models/sherpa-audio-models.js';
export type { PunctuationMarkPredictor } from './punctuation/punctuation-mark-predictor.js';
export {
  type ChunkSpeakerFeatures,
  extractEncodedAcousticFeatures,
  selectChunksOfCommonestVersion,
  type SpeakerFeatureExtractor,
} from './diarization/speaker-features.js';
export { mapSpeakerFeaturesToUnpackedTime } from './diarization/map-speaker-features-to-unpacked-time.js';
export { diarizeFeatures } from './diarization/diarize.js';
export { ANY_NUMBER_OF_SPEAKERS, type SpeakerCountLimits } from './diarization/speaker-count-limits.js';
export type { SpeakerTurn } from './diarization/speaker-turns.js';
export {
  locateRequiredTool,
  type ExternalTool,
  ToolFailedError,
  ToolMissingError,
  ToolTimeoutError,
} from './tool/tool.js';
export { type SandboxProtections, detectSandboxProtections } from './tool/sandbox-capabilities.js';
export { setSandboxHiddenFolders } from './tool/sandboxed-command.js';
export { createScratchDirectory, findDiskFullCode, setScratchRoot } from './tool/scratch-directory.js';
export type { SpeechDetector } from './vad/model-frame-classifier.js';
export { VocabularyCorrector } from './vocabulary/vocabulary-corrector.js';
export { decodeWav, encodeWav, readWav } from './wav/wav.js';
export { SAMPLE_RATE } from './wav/pcm.js';
