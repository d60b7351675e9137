export { AuxiliaryModelError } from './auxiliary-models/sherpa-model.js';
export {
  AUXILIARY_MODEL_KINDS,
  type AuxiliaryModelKind,
  pickOneAuxiliaryModelPerKind,
  createAuxiliaryModelsFromFolder,
  type AuxiliaryModels,
} from './auxiliary-models/auxiliary-models.js';
export {
  type AudioChunk,
  chunkAudioToSink,
  type ChunkingRequest,
  type ChunkingSummary,
} from './chunking/chunk-audio.js';
export type { MultichannelMode } from './channels/find-right-channel-gain-unless-mixed.js';
export { type PackedAudioSpan, PackedAudioTimeMap } from './chunking/packed-audio-time-map.js';
export { AudioTooLongError, UndecodableAudioError } from './decode/audio-errors.js';
export {
  decodeAudioToMono,
  DEFAULT_DECODE_LIMITS,
  type DecodeLimits,
  type DecodeOptions,
  FFMPEG_TOOL,
} from './decode/decode-audio.js';
export { sanitizeTranscriptionForStorage } from './engine/sanitize-transcription-for-storage.js';
export { createEngine, type EngineSettings } from './engine/create-engine.js';
export {
  chooseEngineForInstallation,
  type EngineChoiceSettings,
} from './engine/choice/choose-engine-for-installation.js';
export {
  type EngineChoice,
  type EngineImprovement,
  type EngineName,
  formatImprovement,
} from './engine/choice/engine-choice.js';
export {
  type ChunkFile,
  type EngineCapabilities,
  EngineFailedError,
  type EngineIdentity,
  type RecognitionOptions,
  type ChunkTranscription,
  EngineUnavailableError,
  type RecognizedWord,
  type SpeechEngine,
  UnreadableChunkError,
} from './engine/engine.js';
export { WordAndTermAlignmentEngineWrapper } from './alignment/word-and-term-alignment-engine-wrapper.js';
export type {
  AlignmentResult,
  AlignmentRequest,
  AlignmentSegment,
  AlignedWord,
  WordAndTermAligner,
} from './alignment/word-and-term-aligner.js';
export { PocketsphinxAligner } from './engine/pocketsphinx/alignment/pocketsphinx-aligner.js';
export { OpenAiEngine } from './engine/openai/openai-engine.js';
export type { OpenAiOptions } from './engine/openai/openai-client.js';
export { PocketsphinxEngine, type PocketsphinxOptions } from './engine/pocketsphinx/pocketsphinx-engine.js';
export { SherpaEngine, type SherpaOptions } from './engine/sherpa/sherpa-engine.js';
export {
  type ExecutionProvider,
  detectExecutionProviderInstallation,
  formatProviderProblemsAndAdvice,
  listNvidiaDeviceFileNames,
  type ProviderLookupOptions,
  type ExecutionProviderInstallation,
} from './sherpa/provider/provider-installation.js';
export { findMissingG2pPrograms } from './engine/pocketsphinx/vocabulary/grapheme-to-phoneme.js';
export { InvalidCatalogueError, loadCatalogue } from './models/catalogue/load-catalogue.js';
export type { CatalogueFile, CatalogueModel } from './models/catalogue/catalogue-model.js';
export { partitionModelsByStoredCheckResult } from './auxiliary-models/partition-models-by-stored-check-result.js';
export {
  checkModelAndSaveResult,
  type ModelCheckOptions,
} from './models/check/check-model-and-save-result.js';
export type { ReferenceDialogue } from './models/check/transcribe-dialogue.js';
export { type ModelCheckRecord, readModelCheck, writeModelCheck } from './models/check/model-check.js';
export { getInstalledModel, listInstalledModels, listModelFolderNames } from './models/installed-models.js';
export {
  type Manifest,
  MANIFEST_FILE_NAME,
  type ManifestFileEntry,
  pickManifestFields,
  readManifest,
} from './models/manifest.js';
export {
  type InstalledModel,
  InvalidModelError,
  type ModelFamily,
  type ModelKind,
  ModelNotFoundError,
} from './models/installed-model.js';
export { supportsLanguage } from './engine/language-tag.js';
export type { LanguageIdentifier } from './auxiliary-models/sherpa-audio-models.js';
export type { PunctuationMarkPredictor, UnpunctuatedWord } from './punctuation/punctuation-mark-predictor.js';
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
export { SpeakerFeaturesDecodeError } from './diarization/acoustic-window.js';
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
export type { SampleRange, SpeechDetector } from './vad/model-frame-classifier.js';
export { VocabularyCorrector } from './vocabulary/vocabulary-corrector.js';
export { decodeWav, encodeWav, InvalidWavError, readWav } from './wav/wav.js';
export { SAMPLE_RATE } from './wav/pcm.js';
