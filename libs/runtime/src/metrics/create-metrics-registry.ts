import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { packageVersion } from '../package-version.js';

/** The registry of the process, with Node's own numbers in it and the version that runs. */
export function createMetricsRegistry(program: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ program });
  collectDefaultMetrics({ register: registry });
  const build = new Gauge({
    name: 'zephyr_build_info',
    help: 'Always 1; the labels are the running version and its Node version.',
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  build.set({ version: packageVersion(), node: process.versions.node }, 1);
  return registry;
}
