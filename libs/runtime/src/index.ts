export {
  boot,
  bootWith,
  type Foundation,
  type KeyPurpose,
  type Program,
  type Settings,
  settingsOf,
} from './boot/boot.js';
export { migrate } from './boot/migrate.js';
export { createSealer, jobsOptions, publicUrl, storeOptions } from './boot/part-options.js';
export { DependencyHealth } from './health/dependency-health.js';
export { HealthController } from './health/health.controller.js';
export { HealthModule } from './health/health.module.js';
export { METRICS, MetricsController } from './health/metrics.controller.js';
export { endInOrder, openOrClose, parentIsGone, startFailed } from './lifecycle.js';
export { createLogger, NestLog, type PlainLog, plainLog } from './log/logger.js';
export { createMetrics } from './metrics.js';
export { reasonOf } from './reason-of.js';
