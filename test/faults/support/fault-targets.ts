import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from '../../../scripts/material/seeded-random.mjs';
import type { SupervisedProgram } from './supervised-program.js';
import type { System } from './system.js';
import type { FaultTarget } from './fault-injector.js';

/** Seconds for which a server is unavailable. */
const OUTAGE_SECONDS = { least: 0.3, most: 2 };

/** The targets: a random program of each kind, and each server. */
export function buildFaultTargets(system: System, random: SeededRandom): FaultTarget[] {
  const { postgres, redis } = system.dependencies;
  const pauseForOutage = () => pause(random.between(OUTAGE_SECONDS.least, OUTAGE_SECONDS.most) * 1_000);
  const targets: FaultTarget[] = [
    { name: 'api', injectFault: () => killRandomReadyProgram(system.apis, random) },
    { name: 'processor', injectFault: () => killRandomReadyProgram(system.processors, random) },
  ];
  if (redis)
    targets.push({
      name: 'redis',
      injectFault: async () => {
        await redis.stop();
        await pauseForOutage();
        await redis.restart();
      },
    });
  targets.push({
    name: 'postgres',
    injectFault: async () => {
      await postgres.kill();
      await pauseForOutage();
      await postgres.start();
    },
  });
  return targets;
}

/** Kills only programs that are ready, so that programs can start on a slow machine. */
async function killRandomReadyProgram(
  programs: readonly SupervisedProgram[],
  chance: SeededRandom,
): Promise<void> {
  const ready = programs.filter((program) => program.isReady);
  if (ready.length > 0) await chance.pick(ready).kill('SIGKILL');
}
