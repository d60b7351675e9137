import type { ChunkConcurrencyDecision } from '../../machine/chunk-concurrency.js';
import type { CatalogueModel } from '../../models/catalogue/catalogue-model.js';
import type { InstalledModel } from '../../models/installed-model.js';
import type { ExecutionProviderProbeResult } from '../../sherpa/provider/probe-execution-provider.js';

export type EngineName = 'pocketsphinx' | 'sherpa' | 'openai';

/** The engine that a processor uses, and why. */
export interface EngineChoice {
  engine: EngineName;
  /** Recogniser of the engine `sherpa`, otherwise null. */
  recognizer: InstalledModel | null;
  /** Neither `ENGINE` nor `SHERPA_MODEL` names it. */
  isAutomatic: boolean;
  reason: string;
  /** Installed recognisers that were not chosen automatically because they cannot be. */
  unusable: { name: string; problem: string }[];
  /** What would recognise more; null if nothing is known, or the choice was not automatic. */
  improvement: EngineImprovement | null;
  concurrentChunks: ChunkConcurrencyDecision;
  /** Where the recogniser runs, if there is one. */
  provider: ExecutionProviderProbeResult;
}

export interface EngineImprovement {
  detail: string;
  /** What the operator runs. */
  command: string;
  /** Models of the catalogue to be pulled or checked; empty for a model outside of it. */
  models: readonly CatalogueModel[];
}

/** One line for the log and `doctor`. */
export function formatImprovement({
  detail,
  command,
}: Pick<EngineImprovement, 'detail' | 'command'>): string {
  return `${detail}: ${command}`;
}
