export {
  boot,
  bootWithSettings,
  type BootContext,
  type ProgramName,
  type BootSettings,
  loadBootSettings,
} from './boot/boot.js';
export {
  saveServiceSecretFingerprint,
  findDatabaseSecret,
  ServiceSecretMismatchError,
} from './boot/service-secret-check.js';
export { DataDirError } from './boot/data-dir-error.js';
export { createHashingKeyEncryptor } from './boot/hashing-key.js';
export { createEncryptor, warnAboutMissingEncryptionKeys } from './boot/encryptor.js';
export { StartInterruptedError, isParentGone } from './boot/start-interruption.js';
export { migrateDatabase, SchemaTooNewError } from './boot/migrate.js';
export {
  resolveHealthUrl,
  buildJobsOptions,
  buildMailOptions,
  resolvePublicUrl,
  buildStorageOptions,
  buildStripeOptions,
} from './boot/library-options.js';
export { secretFingerprint, loadServiceSecretsIfPresent } from './boot/service-secrets.js';
export { generateServiceSecret, ServiceSecretFile, type ServiceSecrets } from './boot/service-secret-file.js';
export { DependencyHealth } from './health/dependency-health.js';
export { HealthController } from './health/health.controller.js';
export { HealthAndMetricsModule } from './health/health-and-metrics.module.js';
export { METRICS_REGISTRY, MetricsController } from './health/metrics.controller.js';
export { SchemaVersionWatcher } from './health/schema-version-watcher.js';
export { JobEndReporter } from './job-end-reporter.js';
export { registerGracefulShutdown, openOrCloseApp, exitAfterFailedStart } from './lifecycle.js';
export { addLogFields, type LogFields, withLogFields } from './log/log-fields.js';
export { createLogger, NestLoggerAdapter, type SimpleLogger, toSimpleLogger } from './log/logger.js';
export {
  createMetricsRegistry,
  registerDiskMetrics,
  createStoreErrorCounter,
} from './metrics/process-metrics.js';
export { DependencyOutageLog } from './log/dependency-outage-log.js';
export { type GaugeValues, registerQueriedGauge } from './metrics/register-queried-gauge.js';
export { Mailer, type Mail, type MailResult } from './mail/mailer.js';
export { shortenName } from './mail/shorten-name.js';
export { findPackageFolder, readPackageVersion } from './package-version.js';
export {
  getTraceparent,
  type RequestSpan,
  startRequestSpan,
  withJobSpan,
  withSpan,
} from './tracing/trace-context.js';
export { TranscriptUrlSigner } from './transcript-url-signer.js';
