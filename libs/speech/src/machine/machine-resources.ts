import { availableParallelism, totalmem } from 'node:os';
import { readControlGroupLimits } from './control-group-limits.js';

/** What this process may use, at most. */
export interface MachineResources {
  cores: number;
  memoryBytes: number;
  /** The memory is that of a control group, not all that the machine has. */
  isMemoryLimited: boolean;
}

/** Honours CPU affinity and control groups. */
export async function readMachineResources(): Promise<MachineResources> {
  const limits = await readControlGroupLimits();
  const memoryBytes = Math.min(totalmem(), limits.memoryBytes);
  return {
    // A quota of one and a half processors keeps two busy, if not always.
    cores: Math.max(1, Math.min(availableParallelism(), Math.ceil(limits.processors))),
    memoryBytes,
    isMemoryLimited: memoryBytes < totalmem(),
  };
}
