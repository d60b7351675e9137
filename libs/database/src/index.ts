export { lockAccountRow, type RecordChange } from './account-changes.js';
export { acquireTransactionAdvisoryLock, withAdvisoryLock, MIGRATION_LOCK_ID } from './advisory-lock.js';
export { BatchLoader } from './batch-loader.js';
export { isDatabaseUnavailableError } from './connection-errors.js';
export {
  createDataSource,
  getPgPool,
  TCP_KEEP_ALIVE_DELAY_MS,
  listSchemaDriftStatements,
} from './data-source.js';
export { DatabaseModule } from './database.module.js';
export {
  pingDatabase,
  readDatabaseClockMs,
  readDatabaseTimeText,
  readPostgresVersion,
} from './database-server.js';
export {
  DeletionPause,
  DeletionsInProgressError,
  deleteUnlessBackupRuns,
  tryLockOutBackups,
} from './deletion-lock.js';
export { listTableNamesToDump } from './dump/list-table-names-to-dump.js';
export { DatabaseNotRestorableError, restoreDump } from './dump/restore-dump.js';
export { DatabaseSnapshot } from './dump/database-snapshot.js';
export { acquireEmbeddedPostgres, type EmbeddedPostgres } from './embedded/acquire-embedded-postgres.js';
export { Account } from './entities/account.entity.js';
export { ApiKey } from './entities/api-key.entity.js';
export { AudioIntake } from './entities/audio-intake.entity.js';
export { AutoRecharge, type RechargePauseReason } from './entities/auto-recharge.entity.js';
export { CreditAlert } from './entities/credit-alert.entity.js';
export { CreditEntry } from './entities/credit-entry.entity.js';
export { DeletedJob } from './entities/deleted-job.entity.js';
export { HashingKey } from './entities/hashing-key.entity.js';
export { Installation } from './entities/installation.entity.js';
export { Job, type JobAudioSource, type JobStatus } from './entities/job.entity.js';
export { JobEvent, type JobEventType } from './entities/job-event.entity.js';
export { JobStage } from './entities/job-stage.entity.js';
export { OutboxEntry } from './entities/outbox-entry.entity.js';
export {
  Payment,
  type PaymentKind,
  type PaymentProvider,
  type PaymentState,
} from './entities/payment.entity.js';
export { PaymentDispute } from './entities/payment-dispute.entity.js';
export { PaymentProviderEvent } from './entities/payment-provider-event.entity.js';
export { PaymentEventScan } from './entities/payment-event-scan.entity.js';
export { StripeCustomer } from './entities/stripe-customer.entity.js';
export {
  type DeliveryState,
  WebhookDelivery,
  WEBHOOK_EVENTS,
  type WebhookEventType,
} from './entities/webhook-delivery.entity.js';
export { JOB_END_EVENTS, type JobEndEventType, WebhookEndpoint } from './entities/webhook-endpoint.entity.js';
export { WebhookPreviousSecret } from './entities/webhook-previous-secret.entity.js';
export { WebhookSecret } from './entities/webhook-secret.entity.js';
export { AuditEvent } from './entities/audit-event.entity.js';
export { ExternalIdentity } from './entities/external-identity.entity.js';
export { Invitation } from './entities/invitation.entity.js';
export { RateLimitIncreaseRequest } from './entities/rate-limit-increase-request.entity.js';
export { MaintenanceLease } from './entities/maintenance-lease.entity.js';
export { Membership } from './entities/membership.entity.js';
export { Passkey } from './entities/passkey.entity.js';
export { RecoveryCode } from './entities/recovery-code.entity.js';
export { SignInChallenge } from './entities/sign-in-challenge.entity.js';
export { OneTimeLink } from './entities/one-time-link.entity.js';
export { CommandLineSignIn } from './entities/command-line-sign-in.entity.js';
export { TotpEnrollment } from './entities/totp-enrollment.entity.js';
export { TotpSecret } from './entities/totp-secret.entity.js';
export { TranscriptCorrection } from './entities/transcript-correction.entity.js';
export { User } from './entities/user.entity.js';
export { UserSession } from './entities/user-session.entity.js';
export { Vocabulary } from './entities/vocabulary.entity.js';
export { type ListenConnection, openListenConnection } from './listen-connection.js';
export {
  deferPreparedStatementUntilCommit,
  type PreparedStatement,
  queryPrepared,
  queryRows,
  queryInOneRoundTrip,
  buildFailUnlessSql,
  tableExists,
} from './query-rows.js';
export { findMissingEncryptionKeys, USED_ENCRYPTION_KEY_IDS_SQL } from './encryption/find-missing-keys.js';
export {
  ENCRYPTED_IDEMPOTENT_RESPONSES_TABLE,
  ENCRYPTED_WEBHOOK_ATTEMPTS_TABLE,
  ENCRYPTED_WEBHOOK_BODIES_TABLE,
  ENCRYPTED_HASHING_KEY_TABLE,
  ENCRYPTED_PREVIOUS_SIGNING_SECRETS_TABLE,
  ENCRYPTED_SIGNING_SECRETS_TABLE,
  ENCRYPTED_TOTP_SECRETS_TABLE,
  createRowEncryptors,
  RowEncryptor,
} from './encryption/row-encryptor.js';
export { DecryptionError, type EncryptedValue, Encryptor } from './encryption/encryptor.js';
export {
  ACCOUNT_SCOPE_CTE,
  queryAccountRows,
  buildAccountScopedQuery,
  type AccountScopedQuery,
} from './account-scoped-query.js';
export { loadAccountMemberLookup, type MemberIdentity, buildMemberAsJsonSql } from './member-identities.js';
export { notifyAfterCommit } from './notify-after-commit.js';
export { afterCommit, inTransaction, getSqlState } from './transaction.js';
export { filterUnknownMigrationNames } from './migrations/index.js';
export { MigrationLockTimeoutError, runPendingMigrations } from './migrations/run-migrations.js';
export { isRollingMigration } from './migrations/rolling-migrations.js';
export { usesTransactionPooler } from './transaction-pooler.js';
export { readPendingAndUnknownMigrations } from './read-pending-and-unknown-migrations.js';
