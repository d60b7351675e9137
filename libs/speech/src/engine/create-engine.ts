import { ForcedAlignmentEngine } from '../alignment/forced-alignment-engine.js';
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
  maxConcurrentChunks: number;
  /** Wanted by the engine `openai`. */
  openaiBaseUrl?: string | undefined;
  openaiApiKey?: string | undefined;
  openaiModel: string;
  openaiConcurrency: number;
  openaiTimeoutSeconds: number;
  openaiAttempts: number;
  /** Told of what went wrong and could be made up for. */
  onWarning?: (message: string, error: unknown) => void;
}

/** For engines that do not tell, in English, when words are said, or cannot listen for given terms. */
const withForcedAlignment = (engine: SpeechEngine, { onWarning: onSetback }: EngineSettings): SpeechEngine =>
  new ForcedAlignmentEngine(engine, new PocketsphinxAligner(), (error) =>
    onSetback?.('The words of a chunk could not be found in its sound; what the engine told stays.', error),
  );

/** The one place that knows every engine. */
const ENGINE_FACTORIES: Record<
  EngineName,
  (settings: EngineSettings) => SpeechEngine | Promise<SpeechEngine>
> = {
  pocketsphinx: ({ maxConcurrentChunks: chunksAtOnce }) =>
    new PocketsphinxEngine({ maxProcesses: chunksAtOnce }),
  sherpa: async (settings) =>
    withForcedAlignment(
      new SherpaEngine({
        model: await chooseRecognizer(settings.modelsDir, settings.sherpaModel),
        threads: settings.sherpaThreads,
        maxHosts: settings.maxConcurrentChunks,
      }),
      settings,
    ),
  openai: (settings) =>
    withForcedAlignment(
      new OpenAiEngine({
        baseUrl: settings.openaiBaseUrl ?? '',
        apiKey: settings.openaiApiKey,
        model: settings.openaiModel,
        concurrency: settings.openaiConcurrency,
        timeoutSeconds: settings.openaiTimeoutSeconds,
        attempts: settings.openaiAttempts,
        onGranularityReduced: (detail) =>
          settings.onWarning?.(
            'The server refuses questions for the times of words. From now on it is asked for less, and now and then for all again.',
            `It takes: ${detail}`,
          ),
      }),
      settings,
    ),
};

/**
 * The engine that the settings name; its `check` tells whether it can work.
 * @throws EngineUnavailableError when no model can be chosen for it
 */
export async function createEngine(settings: EngineSettings): Promise<SpeechEngine> {
  return ENGINE_FACTORIES[settings.engine](settings);
}
