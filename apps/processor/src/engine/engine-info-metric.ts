import type { EngineIdentity } from '@app/speech';
import { Gauge, type Registry } from 'prom-client';

export function registerEngineInfoMetric(registry: Registry, { name, model, version }: EngineIdentity): void {
  new Gauge({
    name: 'zephyr_engine_info',
    help: 'Always 1; its labels name the speech engine of this process.',
    labelNames: ['engine', 'model', 'version'],
    registers: [registry],
  }).set({ engine: name, model: model ?? '', version: version ?? '' }, 1);
}
