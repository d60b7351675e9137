import { collectDefaultMetrics, Registry } from 'prom-client';

/** The registry of the process, with Node's own numbers in it. */
export function createMetrics(program: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ program });
  collectDefaultMetrics({ register: registry });
  return registry;
}
