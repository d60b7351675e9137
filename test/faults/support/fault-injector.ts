import { setTimeout as pause } from 'node:timers/promises';
import type { Chance } from '../../../scripts/material/chance.mjs';

/** Something that is killed. Resolves when it is on its way back. */
export interface FaultTarget {
  name: string;
  injectFault(): Promise<void>;
}

const SECONDS_BETWEEN = { least: 2, most: 5 };

/** Strikes the victims in turn, every few seconds, until it is stopped. */
export class FaultInjector {
  readonly injected: string[] = [];
  private readonly stopped = new AbortController();
  private readonly ended: Promise<void>;

  constructor(
    private readonly chance: Chance,
    private readonly targets: readonly FaultTarget[],
  ) {
    this.ended = this.work();
    // Told by `stop`, whenever that is called.
    this.ended.catch(() => undefined);
  }

  /** Resolves when the last one struck is on its way back. @throws what a victim threw */
  stop(): Promise<void> {
    this.stopped.abort();
    return this.ended;
  }

  private async work(): Promise<void> {
    const { signal } = this.stopped;
    for (let turn = 0; !signal.aborted; turn += 1) {
      const { least, most } = SECONDS_BETWEEN;
      await pause(this.chance.between(least, most) * 1_000, undefined, { signal }).catch(() => undefined);
      const victim = this.targets[turn % this.targets.length];
      if (signal.aborted || victim === undefined) return;
      this.injected.push(victim.name);
      await victim.injectFault();
    }
  }
}
