import { WordAndTermAlignmentEngineWrapper } from '../alignment/word-and-term-alignment-engine-wrapper.js';
import type { EngineChoice, EngineName } from './choice/engine-choice.js';
import { EngineUnavailableError, type SpeechEngine } from './engine.js';
import { TextLanguageDetectionEngineWrapper } from '../language/text-language-detection-engine-wrapper.js';
import { OpenAiEngine } from './openai/openai-engine.js';
import type { FormField, VocabularyFormFieldName } from './openai/transcription-request.js';
import type { AudioFormatSetting } from './openai/upload-format.js';
import { PocketsphinxAligner } from './pocketsphinx/alignment/pocketsphinx-aligner.js';
import { PocketsphinxEngine } from './pocketsphinx/pocketsphinx-engine.js';
import { SherpaEngine } from './sherpa/sherpa-engine.js';
import { VocabularyCorrectionEngineWrapper } from '../vocabulary/vocabulary-correction-engine-wrapper.js';

/** Settings that do not depend on which engine is chosen. */
export interface EngineSettings {
  sherpaThreads: number;
  /** Required by the engine `openai`. */
  openaiBaseUrl?: string | undefined;
  openaiApiKey?: string | undefined;
  openaiModel: string;
  openaiAudioFormat: AudioFormatSetting;
  openaiVocabularyFields: readonly VocabularyFormFieldName[];
  openaiFormFields: readonly FormField[];
  openaiConcurrency: number;
  openaiTimeoutSeconds: number;
  openaiAttempts: number;
  /** Called on problems that the engine works around. */
  onWarning?: (message: string, error: unknown) => void;
}

/** Alignment needs to know the language. */
const withLanguageAndAlignment = (engine: SpeechEngine, { onWarning }: EngineSettings): SpeechEngine =>
  new WordAndTermAlignmentEngineWrapper(
    new TextLanguageDetectionEngineWrapper(engine),
    new PocketsphinxAligner(),
    (error) =>
      onWarning?.('Forced alignment of a chunk failed; its words keep the times of the engine.', error),
  );

const ENGINE_FACTORIES: Record<EngineName, (choice: EngineChoice, settings: EngineSettings) => SpeechEngine> =
  {
    pocketsphinx: ({ concurrentChunks }) => new PocketsphinxEngine({ maxProcesses: concurrentChunks.count }),
    sherpa: ({ recognizer, concurrentChunks, provider }, settings) => {
      if (!recognizer) throw new EngineUnavailableError('sherpa', 'no recogniser was chosen.');
      return withLanguageAndAlignment(
        new SherpaEngine({
          model: recognizer,
          threads: settings.sherpaThreads,
          maxHosts: concurrentChunks.count,
          provider,
        }),
        settings,
      );
    },
    openai: (_, settings) =>
      withLanguageAndAlignment(
        new OpenAiEngine({
          baseUrl: settings.openaiBaseUrl ?? '',
          apiKey: settings.openaiApiKey,
          model: settings.openaiModel,
          audioFormat: settings.openaiAudioFormat,
          vocabularyFields: settings.openaiVocabularyFields,
          formFields: settings.openaiFormFields,
          concurrency: settings.openaiConcurrency,
          timeoutSeconds: settings.openaiTimeoutSeconds,
          attempts: settings.openaiAttempts,
          onGranularityReduced: (granularity) =>
            settings.onWarning?.(
              'The server does not support word timestamps. Requests use the granularity that it accepts; word timestamps are retried regularly.',
              `Accepted granularity: ${granularity}`,
            ),
          onFlacRejected: () =>
            settings.onWarning?.(
              'The server rejects FLAC. Chunks are sent as WAV until this program is started again.',
              'Set OPENAI_AUDIO_FORMAT=wav.',
            ),
          onFlacFailed: (error) =>
            settings.onWarning?.('A chunk could not be encoded as FLAC and is sent as WAV.', error),
        }),
        settings,
      ),
  };

/** Does not check that the engine works (`SpeechEngine.check`). @param choice of `chooseEngineForInstallation` */
export function createEngine(choice: EngineChoice, settings: EngineSettings): SpeechEngine {
  return new VocabularyCorrectionEngineWrapper(ENGINE_FACTORIES[choice.engine](choice, settings), (error) =>
    settings.onWarning?.(
      'The vocabulary could not be applied to a chunk; its words stay as they are.',
      error,
    ),
  );
}
