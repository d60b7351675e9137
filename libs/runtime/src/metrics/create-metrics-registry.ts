import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { readPackageVersion } from '../package-version.js';

/** Contains the metrics of Node and the running version. */
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
  build.set({ version: readPackageVersion(), node: process.versions.node }, 1);
  return registry;
}
