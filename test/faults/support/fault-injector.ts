import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from '../../../scripts/material/seeded-random.mjs';

/** A program or server that can be killed; `injectFault` resolves when it is restarting. */
export interface FaultTarget {
  name: string;
  injectFault(): Promise<void>;
}

const PAUSE_SECONDS = { least: 2, most: 5 };

/** Injects faults into the targets in turn, every few seconds, until it is stopped. */
export class FaultInjector {
  readonly injected: string[] = [];
  private readonly stopped = new AbortController();
  private readonly ended: Promise<void>;

  constructor(
    private readonly random: SeededRandom,
    private readonly targets: readonly FaultTarget[],
  ) {
    this.ended = this.injectFaults();
    // `stop` rejects with the error.
    this.ended.catch(() => undefined);
  }

  /** Resolves when the last target is restarting. @throws the error of a target */
  stop(): Promise<void> {
    this.stopped.abort();
    return this.ended;
  }

  private async injectFaults(): Promise<void> {
    const { signal } = this.stopped;
    for (let round = 0; !signal.aborted; round += 1) {
      const { least, most } = PAUSE_SECONDS;
      await pause(this.random.between(least, most) * 1_000, undefined, { signal }).catch(() => undefined);
      const target = this.targets[round % this.targets.length];
      if (signal.aborted || target === undefined) return;
      this.injected.push(target.name);
      await target.injectFault();
    }
  }
}
