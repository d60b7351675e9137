import { ForcedAlignmentEngine } from '../alignment/forced-alignment-engine.js';
import type { SpeechEngine } from './engine.js';
import { OpenAiEngine } from './openai/openai-engine.js';
import { PocketsphinxAligner } from './pocketsphinx/alignment/pocketsphinx-aligner.js';
import { PocketsphinxEngine } from './pocketsphinx/pocketsphinx-engine.js';
import { chooseRecognizer } from './sherpa/choose-recognizer.js';
import { SherpaEngine } from './sherpa/sherpa-engine.js';

export type EngineName = 'pocketsphinx' | 'sherpa' | 'openai';

/** All folders are absolute paths. */
export interface EngineSettings {
  engine: EngineName;
  modelsDir: string;
  sherpaModel?: string | undefined;
  sherpaThreads: number;
  /** Maximum number of chunks at a time; also limits the processes of local engines. */
  maxConcurrentChunks: number;
  /** Required by the engine `openai`. */
  openaiBaseUrl?: string | undefined;
  openaiApiKey?: string | undefined;
  openaiModel: string;
  openaiConcurrency: number;
  openaiTimeoutSeconds: number;
  openaiAttempts: number;
  /** Called on problems that the engine works around. */
  onWarning?: (message: string, error: unknown) => void;
}

const withForcedAlignment = (engine: SpeechEngine, { onWarning }: EngineSettings): SpeechEngine =>
  new ForcedAlignmentEngine(engine, new PocketsphinxAligner(), (error) =>
    onWarning?.('Forced alignment of a chunk failed; its words keep the times of the engine.', error),
  );

const ENGINE_FACTORIES: Record<
  EngineName,
  (settings: EngineSettings) => SpeechEngine | Promise<SpeechEngine>
> = {
  pocketsphinx: ({ maxConcurrentChunks }) => new PocketsphinxEngine({ maxProcesses: maxConcurrentChunks }),
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
        onGranularityReduced: (granularity) =>
          settings.onWarning?.(
            'The server does not support word timestamps. Requests use the granularity that it accepts; word timestamps are retried regularly.',
            `Accepted granularity: ${granularity}`,
          ),
      }),
      settings,
    ),
};

/**
 * Does not check that the engine works (`SpeechEngine.check`).
 * @throws EngineUnavailableError when no model can be chosen
 */
export async function createEngine(settings: EngineSettings): Promise<SpeechEngine> {
  return ENGINE_FACTORIES[settings.engine](settings);
}
