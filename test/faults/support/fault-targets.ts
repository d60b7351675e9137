import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from '../../../scripts/material/seeded-random.mjs';
import type { SupervisedProgram } from './supervised-program.js';
import type { System } from './system.js';
import type { FaultTarget } from './fault-injector.js';

/** Seconds for which a server is unavailable. */
const OUTAGE_SECONDS = { least: 0.3, most: 2 };

/** Every possible target: a random program of each kind, and each server. A queue in Postgres fails with Postgres. */
export function buildFaultTargets(system: System, chance: SeededRandom): FaultTarget[] {
  const { postgres, redis } = system.dependencies;
  const pauseForOutage = () => pause(chance.between(OUTAGE_SECONDS.least, OUTAGE_SECONDS.most) * 1_000);
  const targets: FaultTarget[] = [
    { name: 'api', injectFault: () => killRandomReady(system.apis, chance) },
    { name: 'processor', injectFault: () => killRandomReady(system.processors, chance) },
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

/** Kills a program that is ready: on a slow machine a starting one would never get ready. */
async function killRandomReady(programs: readonly SupervisedProgram[], chance: SeededRandom): Promise<void> {
  const ready = programs.filter((program) => program.isUp);
  if (ready.length > 0) await chance.pick(ready).kill('SIGKILL');
}
