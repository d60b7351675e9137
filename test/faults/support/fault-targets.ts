import { setTimeout as pause } from 'node:timers/promises';
import type { Chance } from '../../../scripts/material/chance.mjs';
import type { SupervisedProgram } from './supervised-program.js';
import type { System } from './system.js';
import type { FaultTarget } from './fault-injector.js';

/** Seconds that a server stays away. */
const AWAY = { least: 0.3, most: 2 };

/** Everything that may be killed: of programs of a kind any one, of servers each. A queue in Postgres goes with it. */
export function buildFaultTargets(system: System, chance: Chance): FaultTarget[] {
  const { postgres, redis } = system.dependencies;
  const away = () => pause(chance.between(AWAY.least, AWAY.most) * 1_000);
  const victims: FaultTarget[] = [
    { name: 'api', injectFault: () => killOne(system.apis, chance) },
    { name: 'processor', injectFault: () => killOne(system.processors, chance) },
  ];
  if (redis)
    victims.push({
      name: 'redis',
      injectFault: async () => {
        await redis.stop();
        await away();
        await redis.restart();
      },
    });
  victims.push({
    name: 'postgres',
    injectFault: async () => {
      await postgres.kill();
      await away();
      await postgres.start();
    },
  });
  return victims;
}

/** One that works: on a slow machine those that are still starting would never come to it. */
async function killOne(programs: readonly SupervisedProgram[], chance: Chance): Promise<void> {
  const up = programs.filter((program) => program.isUp);
  if (up.length > 0) await chance.pick(up).kill('SIGKILL');
}
