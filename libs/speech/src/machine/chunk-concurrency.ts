import type { MachineResources } from './machine-resources.js';

/** How many chunks a processor transcribes at a time. */
export interface ChunkConcurrencyDecision {
  count: number;
  reason: string;
  /** The copies of the model need more memory than they should. */
  exceedsMemory: boolean;
}

/** Left to Postgres, the programs and the cache of files. */
const RESERVED_SHARE = 1 / 4;
const MIN_RESERVED_BYTES = 512 * 2 ** 20;
/** Memory of a loaded model for each byte of its files. */
const MEMORY_PER_FILE_BYTE = 1.5;

/** @param measured peak of a process with the model, if known */
export function estimateModelMemoryBytes(fileBytes: number, measured: number | null = null): number {
  return measured ?? fileBytes * MEMORY_PER_FILE_BYTE;
}

/** Memory that copies of a model may use together. */
export function computeModelMemoryBudgetBytes({ memoryBytes }: MachineResources): number {
  return Math.max(0, memoryBytes - Math.max(MIN_RESERVED_BYTES, memoryBytes * RESERVED_SHARE));
}

/**
 * @param copyBytes memory of one copy of the model; 0 for engines that hold no model for each chunk
 * @param requested the operator's number
 * @param devices number of devices, such as GPUs, that run one copy each; 0: the cores run them
 */
export function decideChunkConcurrency(
  machine: MachineResources,
  copyBytes: number,
  requested?: number,
  devices = 0,
): ChunkConcurrencyDecision {
  const { cores, memoryBytes, isMemoryLimited } = machine;
  const modelMemory = computeModelMemoryBudgetBytes(machine);
  const fitting = copyBytes > 0 ? Math.floor(modelMemory / copyBytes) : Infinity;
  const memory = `${formatGigabytes(modelMemory)} of ${formatGigabytes(memoryBytes)} of memory${isMemoryLimited ? ' (control group)' : ''}, ${formatGigabytes(copyBytes)} for each copy of the model`;
  const describe = (why: string) => (copyBytes > 0 ? `${why}; ${memory}` : why);
  if (requested !== undefined)
    return { count: requested, reason: describe('CHUNK_CONCURRENCY'), exceedsMemory: requested > fitting };
  const units = devices || cores;
  const unit = devices > 0 ? 'device' : 'core';
  const byUnits = units === 1 ? `one ${unit}` : `one for each of ${units} ${unit}s`;
  if (fitting >= units) return { count: units, reason: describe(byUnits), exceedsMemory: false };
  return {
    count: Math.max(1, fitting),
    reason: `${memory}; ${units === 1 ? `one ${unit}` : `${units} ${unit}s`}`,
    exceedsMemory: fitting < 1,
  };
}

/** `0.4 GB` */
export function formatGigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
