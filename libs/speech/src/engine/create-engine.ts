import { AligningEngine } from '../align/aligning-engine.js';
import type { SpeechEngine } from './engine.js';
import { OpenAiEngine } from './openai/openai-engine.js';
import { PocketsphinxAligner } from './pocketsphinx/alignment/pocketsphinx-aligner.js';
import { PocketsphinxEngine } from './pocketsphinx/pocketsphinx-engine.js';
import { chooseRecognizer } from './sherpa/choose-recognizer.js';
import { SherpaEngine } from './sherpa/sherpa-engine.js';

export type EngineName = 'pocketsphinx' | 'sherpa' | 'openai';

/** Which engine, and what each of them has to know. Folders are absolute. */
export interface EngineSettings {
  engine: EngineName;
  modelsDir: string;
  sherpaModel?: string | undefined;
  sherpaThreads: number;
  /** How many chunks it is given at a time; an engine of one processor a chunk uses no more than these. */
  chunksAtOnce: number;
  /** Wanted by the engine `openai`. */
  openaiBaseUrl?: string | undefined;
  openaiApiKey?: string | undefined;
  openaiModel: string;
  openaiConcurrency: number;
  openaiTimeoutSeconds: number;
  openaiAttempts: number;
  /** Told of what went wrong and could be made up for. */
  onSetback?: (message: string, error: unknown) => void;
}

/** For engines that do not tell, in English, when words are said, or cannot listen for given terms. */
const aligning = (engine: SpeechEngine, { onSetback }: EngineSettings): SpeechEngine =>
  new AligningEngine(engine, new PocketsphinxAligner(), (error) =>
    onSetback?.('The words of a chunk could not be found in its sound; what the engine told stays.', error),
  );

/** The one place that knows every engine. */
const ENGINES: Record<EngineName, (settings: EngineSettings) => SpeechEngine | Promise<SpeechEngine>> = {
  pocketsphinx: ({ chunksAtOnce }) => new PocketsphinxEngine({ processes: chunksAtOnce }),
  sherpa: async (settings) =>
    aligning(
      new SherpaEngine({
        model: await chooseRecognizer(settings.modelsDir, settings.sherpaModel),
        threads: settings.sherpaThreads,
        hosts: settings.chunksAtOnce,
      }),
      settings,
    ),
  openai: (settings) =>
    aligning(
      new OpenAiEngine({
        baseUrl: settings.openaiBaseUrl ?? '',
        apiKey: settings.openaiApiKey,
        model: settings.openaiModel,
        concurrency: settings.openaiConcurrency,
        timeoutSeconds: settings.openaiTimeoutSeconds,
        attempts: settings.openaiAttempts,
        onLessDetail: (detail) =>
          settings.onSetback?.(
            'The server refuses questions for the times of words. From now on it is asked for less, and now and then for all again.',
            `It takes: ${detail}`,
          ),
      }),
      settings,
    ),
};

/**
 * The engine that the settings name; its `check` tells whether it can work.
 * @throws EngineUnavailable when no model can be chosen for it
 */
export async function createEngine(settings: EngineSettings): Promise<SpeechEngine> {
  return ENGINES[settings.engine](settings);
}
