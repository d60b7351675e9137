export { lockAccountRow, type RecordChange } from './account-changes.js';
export { acquireTransactionAdvisoryLock, withAdvisoryLock, MIGRATION_LOCK_ID } from './advisory-lock.js';
export { BatchLoader } from './batch-loader.js';
export { isDatabaseUnavailableError } from './connection-errors.js';
export {
  CONNECTION_IDLE_TIMEOUT_MS,
  createDataSource,
  getPgPool,
  probeClientFromServer,
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
export { DeletionPause, DeletionsInProgressError, deleteUnlessBackupRuns } from './deletion-lock.js';
export { listTableNamesToDump } from './dump/list-table-names-to-dump.js';
export { assertRestorableDatabase, DatabaseNotRestorableError, restoreDump } from './dump/restore-dump.js';
export { DatabaseSnapshot } from './dump/database-snapshot.js';
export {
  acquireEmbeddedPostgres,
  type EmbeddedPostgres,
  findDatabaseFolderOutsideDataDir,
} from './embedded/acquire-embedded-postgres.js';
export * from './entities/index.js';
export {
  JOB_END_EVENTS,
  type JobEndEventType,
  WEBHOOK_EVENTS,
  type WebhookEventType,
} from './entities/webhook-events.js';
export { IS_INSTALLATION_HELD_SQL } from './installation-hold.js';
export { type ListenConnection, openListenConnection } from './listen-connection.js';
export {
  deferPreparedStatementToNextRoundTrip,
  type PreparedStatement,
  queryPrepared,
  queryRows,
  queryRowsWithClientTimeout,
  queryInOneRoundTrip,
  buildFailUnlessSql,
  tableExists,
} from './query-rows.js';
export {
  countRowsPerEncryptionKey,
  findMissingEncryptionKeys,
  USED_ENCRYPTION_KEY_IDS_SQL,
} from './encryption/find-missing-keys.js';
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
export { filterUnknownMigrationNames, isRollingMigration } from './migrations/index.js';
export { MigrationLockTimeoutError, runPendingMigrations } from './migrations/run-migrations.js';
export { usesTransactionPooler } from './transaction-pooler.js';
export { readPendingAndUnknownMigrations } from './read-pending-and-unknown-migrations.js';
