export {
  createBootContextAndMigrate,
  prepareDatabaseAndCreateBootContext,
  type BootContext,
  type ConfigAndLogger,
  type MigrationMode,
  loadConfigAndCreateLogger,
} from './boot/boot.js';
export {
  replaceServiceSecretFingerprint,
  requireServiceSecretMatchingDatabase,
  ServiceSecretMismatchError,
} from './boot/service-secret-check.js';
export { DataDirError } from './boot/data-dir-error.js';
export { createHashingKeyEncryptor } from './boot/hashing-key.js';
export { createEncryptor, describeEncryptionKeys, warnAboutUndecryptableRows } from './boot/encryptor.js';
export { StartInterruptedError, isParentProcessGone } from './boot/start-interruption.js';
export { migrateDatabase, SchemaTooNewError } from './boot/migrate.js';
export {
  resolveApiHealthBaseUrl,
  buildQueueAndOutboxModuleOptions,
  buildMailerOptions,
  resolvePublicUrl,
  buildStorageOptions,
  buildStripeOptions,
} from './boot/library-options.js';
export {
  computeSecretFingerprint,
  createKeysDeriver,
  readServiceSecretsIfPresent,
} from './boot/service-secrets.js';
export {
  generateServiceSecret,
  ServiceSecretFile,
  type ServiceSecretWithFallbacks,
} from './boot/service-secret-file.js';
export { DependencyHealthRegistry } from './health/dependency-health-registry.js';
export { HealthController } from './health/health.controller.js';
export { HealthAndMetricsModule } from './health/health-and-metrics.module.js';
export { METRICS_REGISTRY_TOKEN, MetricsController } from './health/metrics.controller.js';
export { SchemaVersionMismatchReporter } from './health/schema-version-mismatch-reporter.js';
export { JobEndReporter } from './job-end-reporter.js';
export { registerGracefulShutdown, closeAppIfOpeningFails, exitAfterFailedStart } from './lifecycle.js';
export { withReadableListenErrors, resolveHealthHostAndSetting } from './with-readable-listen-errors.js';
export { addLogFields, type LogFields, withLogFields } from './log/log-fields.js';
export { createLogger, NestLoggerAdapter, type SimpleLogger, toSimpleLogger } from './log/logger.js';
export {
  createMetricsRegistry,
  registerDiskMetrics,
  createStoreErrorRecorder,
} from './metrics/process-metrics.js';
export { DependencyOutageLog } from './log/dependency-outage-log.js';
export { type GaugeValueByLabel, registerQueriedGauge } from './metrics/register-queried-gauge.js';
export { Mailer, type Mail, type MailerOptions, type MailResult, verifyMailServer } from './mail/mailer.js';
export { sanitizeNameForMail } from './mail/sanitize-name-for-mail.js';
export { getPackageFolderUrl, readPackageVersion } from './package-version.js';
export { getCurrentRequestSpan, RequestSpan, type TracedJob } from './tracing/request-span.js';
export {
  failCurrentSpan,
  getTraceparent,
  recordPastJobSpan,
  withJobSpan,
  withSpan,
} from './tracing/trace-context.js';
