import { Inject, Injectable } from '@nestjs/common';
import { Gauge, type Registry } from 'prom-client';
import { DependencyHealth } from './dependency-health.js';
import { METRICS_REGISTRY } from './metrics.controller.js';

/** The readiness states, for alerts. */
@Injectable()
export class DependencyMetrics {
  constructor(@Inject(METRICS_REGISTRY) registry: Registry, health: DependencyHealth) {
    const up: Gauge<'dependency'> = new Gauge({
      name: 'zephyr_dependency_up',
      help: '1 if this process can use the dependency, otherwise 0.',
      labelNames: ['dependency'],
      registers: [registry],
      collect: async () => {
        for (const [dependency, state] of Object.entries(await health.readStates()))
          up.set({ dependency }, state === 'up' ? 1 : 0);
      },
    });
  }
}
