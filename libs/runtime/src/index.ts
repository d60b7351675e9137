export { boot, type Foundation, type KeyPurpose, type Program } from './boot/boot.js';
export { migrate } from './boot/migrate.js';
export { jobsOptions, publicUrl, storeOptions } from './boot/part-options.js';
export { HealthModule } from './health/health.module.js';
export { METRICS } from './health/metrics.controller.js';
export { endInOrder, startFailed } from './lifecycle.js';
export { createLogger, NestLog, type PlainLog, plainLog } from './log/logger.js';
export { createMetrics } from './metrics.js';
export { reasonOf } from './reason-of.js';
