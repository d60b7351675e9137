import { Module } from '@nestjs/common';
import { AccountsCommand, CreateAccountCommand } from './accounts/accounts.command.js';
import { CREDIT_COMMANDS } from './credits/credits.command.js';
import { DoctorCommand } from './doctor/doctor.command.js';
import { JobsCommand, ListJobsCommand, RetryJobCommand, ShowJobCommand } from './jobs/jobs.command.js';
import { CreateKeyCommand, KeysCommand, ListKeysCommand, RevokeKeyCommand } from './keys/keys.command.js';
import { LimitKeyCommand } from './keys/limit-key.command.js';
import { MigrateCommand } from './migrate/migrate.command.js';
import { MODEL_COMMANDS } from './models/models.command.js';
import { RotateKeysCommand, SecretsCommand } from './secrets/secrets.command.js';
import { StartCommand } from './start/start.command.js';
import { WEBHOOK_COMMANDS } from './webhooks/webhooks.command.js';
import { Workplace } from './workplace.js';

/** The operator's commands. */
@Module({
  providers: [
    Workplace,
    StartCommand,
    MigrateCommand,
    AccountsCommand,
    CreateAccountCommand,
    KeysCommand,
    CreateKeyCommand,
    ListKeysCommand,
    LimitKeyCommand,
    RevokeKeyCommand,
    ...CREDIT_COMMANDS,
    ...WEBHOOK_COMMANDS,
    ...MODEL_COMMANDS,
    SecretsCommand,
    RotateKeysCommand,
    JobsCommand,
    ListJobsCommand,
    ShowJobCommand,
    RetryJobCommand,
    DoctorCommand,
  ],
})
export class AdminModule {}
