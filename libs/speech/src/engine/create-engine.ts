import type { SpeechEngine } from './engine.js';
import { PocketsphinxEngine } from './pocketsphinx/pocketsphinx-engine.js';

export type EngineName = 'pocketsphinx';

/** Which engine, and what each of them has to know. Folders are absolute. */
export interface EngineSettings {
  engine: EngineName;
  modelsDir: string;
  sherpaModel?: string | undefined;
  sherpaThreads: number;
}

/** The one place that knows every engine. */
const ENGINES: Record<EngineName, (settings: EngineSettings) => SpeechEngine> = {
  pocketsphinx: () => new PocketsphinxEngine(),
};

/** The engine that the settings name; its `check` tells whether it can work. */
export function createEngine(settings: EngineSettings): SpeechEngine {
  return ENGINES[settings.engine](settings);
}
