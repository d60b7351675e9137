export { AskedTogether } from './asked-together.js';
export { isDatabaseAway } from './connection-errors.js';
export { createDataSource, type DatabaseOptions, poolOf, schemaDrift } from './data-source.js';
export { DatabaseModule } from './database.module.js';
export {
  type Deletable,
  DeletionPause,
  type DeletionPauseOptions,
  DeletionsUnderWay,
  whileDeleting,
} from './deletion-lock.js';
export { dumpedTables } from './dump/dumped-tables.js';
export { type DumpedTable, NotRestorable, restoreRows, type RestoreRows } from './dump/restore-rows.js';
export { DatabaseSnapshot } from './dump/snapshot.js';
export {
  acquireEmbeddedPostgres,
  type EmbeddedPostgres,
  EmbeddedPostgresFailed,
} from './embedded/acquire.js';
export { Account } from './entities/account.entity.js';
export { ApiKey } from './entities/api-key.entity.js';
export { AutoRecharge } from './entities/auto-recharge.entity.js';
export { CreditEntry, type CreditKind } from './entities/credit-entry.entity.js';
export { Installation } from './entities/installation.entity.js';
export { Job, type JobSource, type JobStatus } from './entities/job.entity.js';
export { JobEvent, type JobEventType } from './entities/job-event.entity.js';
export { JobStage, type StageState } from './entities/job-stage.entity.js';
export { OutboxEntry } from './entities/outbox-entry.entity.js';
export { Payment, type PaymentState } from './entities/payment.entity.js';
export { WebhookAttempt } from './entities/webhook-attempt.entity.js';
export { type DeliveryState, WebhookDelivery } from './entities/webhook-delivery.entity.js';
export { WebhookSecret } from './entities/webhook-secret.entity.js';
export { type Listener, type ListenerEvents, type ListenerTimings, openListener } from './listener.js';
export { MIGRATION_LOCK } from './migration-lock.js';
export { preparedRows, type PreparedStatement } from './prepared.js';
export { rowsOf } from './rows.js';
export { type MissingKey, missingKeys, USED_KEY_IDS } from './sealing/missing-keys.js';
export {
  SEALED_ANSWERS,
  SEALED_BODIES,
  SEALED_HASHING_KEY,
  SEALED_PREVIOUS_SECRETS,
  SEALED_SECRETS,
  SealedRows,
  type SealedTable,
} from './sealing/sealed-rows.js';
export { SealBroken, type Sealed, Sealer } from './sealing/sealer.js';
export { OWN_ROWS } from './tenant/own-rows.js';
export { tenantRows, tenantStatement, type TenantStatement } from './tenant/tenant-rows.js';
export { afterCommit, inTransaction, sqlState } from './transaction.js';
export { unknownMigrations } from './migrations/index.js';
export { isRolling } from './migrations/rolling.js';
export { tableExists } from './table-exists.js';
export { schemaState, type SchemaState } from './schema-state.js';
