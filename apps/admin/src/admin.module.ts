import { Module } from '@nestjs/common';
import { ACCOUNT_COMMANDS } from './accounts/accounts.command.js';
import { ListAuditEventsCommand } from './audit/audit.command.js';
import { BackupCommand } from './backup/backup.command.js';
import { CapacityCommand } from './capacity/capacity.command.js';
import { CREDIT_COMMANDS } from './credits/credits.command.js';
import { DoctorCommand } from './doctor/doctor.command.js';
import { JOB_COMMANDS } from './jobs/jobs.command.js';
import { KEY_COMMANDS } from './keys/keys.command.js';
import { RATE_LIMIT_INCREASE_COMMANDS } from './rate-limit-increases/rate-limit-increases.command.js';
import { MigrateCommand } from './migrate/migrate.command.js';
import { MODEL_COMMANDS } from './models/models.command.js';
import { RestoreCommand } from './restore/restore.command.js';
import { SECRET_COMMANDS } from './secrets/secrets.command.js';
import { StartCommand } from './start/start.command.js';
import { STORE_COMMANDS } from './store/store.command.js';
import { USER_COMMANDS } from './users/users.command.js';
import { VOCABULARY_COMMANDS } from './vocabularies/vocabularies.command.js';
import { WEBHOOK_COMMANDS } from './webhooks/webhooks.command.js';
import { LazyAdminServices } from './lazy-admin-services.js';

@Module({
  providers: [
    LazyAdminServices,
    StartCommand,
    MigrateCommand,
    ...ACCOUNT_COMMANDS,
    ...USER_COMMANDS,
    ...KEY_COMMANDS,
    ...RATE_LIMIT_INCREASE_COMMANDS,
    ...CREDIT_COMMANDS,
    ...VOCABULARY_COMMANDS,
    ...WEBHOOK_COMMANDS,
    ...MODEL_COMMANDS,
    ...SECRET_COMMANDS,
    ...JOB_COMMANDS,
    ...STORE_COMMANDS,
    ListAuditEventsCommand,
    BackupCommand,
    RestoreCommand,
    DoctorCommand,
    CapacityCommand,
  ],
})
export class AdminModule {}
