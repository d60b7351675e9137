export {
  boot,
  bootWith,
  type Foundation,
  type KeyPurpose,
  type Program,
  type Settings,
  settingsOf,
} from './boot/boot.js';
export { adoptSecret, secretOf, WrongServiceSecret } from './boot/check-secret.js';
export { DataDirUnusable } from './boot/data-dir-error.js';
export { sealedHashingKey } from './boot/hashing-key.js';
export { warnOfMissingKeys } from './boot/missing-keys.js';
export { StartInterrupted } from './boot/interruption.js';
export { migrate, SchemaTooNew } from './boot/migrate.js';
export { createSealer, healthUrl, jobsOptions, publicUrl, storeOptions } from './boot/part-options.js';
export { fingerprint, presentSecrets } from './boot/secrets.js';
export { newServiceSecret, ServiceSecretFile, type ServiceSecrets } from './boot/service-secret-file.js';
export { DependencyHealth } from './health/dependency-health.js';
export { HealthController } from './health/health.controller.js';
export { HealthModule } from './health/health.module.js';
export { METRICS, MetricsController } from './health/metrics.controller.js';
export { SchemaWatch } from './health/schema-watch.js';

export { JobEndReport } from './job-end-report.js';
export { endInOrder, openOrClose, startFailed } from './lifecycle.js';
export { addLogFields, type LogFields, withLogFields } from './log/log-fields.js';
export { createLogger, NestLog, type PlainLog, plainLog } from './log/logger.js';
export { createMetrics } from './metrics/create-metrics.js';
export { diskMetrics } from './metrics/disk-metrics.js';
export { storeMetrics } from './metrics/store-metrics.js';
export { DependencyOutages } from './log/dependency-outages.js';
export { type GaugeValues, queriedGauge } from './metrics/queried-gauge.js';
export { packageVersion } from './package-version.js';
export { parentIsGone } from './parent.js';
export { reasonOf } from './reason-of.js';
export { ResultAddress } from './result-address.js';
