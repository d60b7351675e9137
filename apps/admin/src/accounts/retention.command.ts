import { inTransaction } from '@app/database';
import { ServiceError } from '@app/errors';
import {
  changeTranscriptRetention,
  computeEffectiveRetentionDays,
  MAX_ACCOUNT_RETENTION_DAYS,
} from '@app/jobs';
import { SubCommand } from 'nest-commander';
import { recordOperatorAction } from '../operator-audit.js';
import { OperatorCommand, WithOptions } from '../operator-command.js';
import { CommandError, type JsonOption, printResult } from '../output.js';
import { assertAccountExists } from '../resolve-account.js';

interface RetentionOptions extends JsonOption {
  days?: number;
  reset?: boolean;
  deleteOlder?: boolean;
}

@SubCommand({
  name: 'retention',
  arguments: '<account_id>',
  description: 'set how long the transcripts of an account are kept',
})
@WithOptions(
  {
    flags: '--days <n>',
    description: 'days after the end of a job, at most TRANSCRIPT_RETENTION_DAYS',
    parse: parseDays,
  },
  { flags: '--reset', description: 'TRANSCRIPT_RETENTION_DAYS alone' },
  { flags: '--delete-older', description: 'also if that deletes transcripts that exist' },
)
export class AccountRetentionCommand extends OperatorCommand {
  async run([id = '']: string[], options: RetentionOptions): Promise<void> {
    const { days = null, reset = false, deleteOlder: deletesOlder = false } = options;
    if (reset === (days !== null)) throw new CommandError('Give either --days or --reset.');
    const { dataSource, bootContext } = await this.context.open();
    await assertAccountExists(dataSource, id);
    const { transcriptDays: operatorDays } = bootContext.config.limits;
    const older = await inTransaction(dataSource, async (tx) => {
      const changed = await changeTranscriptRetention(tx, id, { days, operatorDays, deletesOlder });
      const details = { from: changed.from, to: days, deleted_transcripts: changed.older };
      const action = 'account.retention_changed';
      await recordOperatorAction(tx, { accountId: id, action, target: id, details });
      return changed.older;
    }).catch(explainRefusal);
    const effective = computeEffectiveRetentionDays(days, operatorDays);
    printResult(
      options,
      { account_id: id, transcript_retention_days: effective, deleted_transcripts: older },
      () =>
        `Account ${id} keeps transcripts ${effective === null ? 'for ever' : `for ${effective} days`}; ${older} are older and will be deleted.`,
    );
  }
}

function parseDays(text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MAX_ACCOUNT_RETENTION_DAYS)
    throw new CommandError(`--days takes a whole number from 1 to ${MAX_ACCOUNT_RETENTION_DAYS}.`);
  return days;
}

/** In the words of the options. */
function explainRefusal(error: unknown): never {
  const refusal = error instanceof ServiceError ? error.errors?.[0] : undefined;
  if (!refusal) throw error;
  throw new CommandError(
    refusal.field === 'transcript_days'
      ? `--days ${refusal.message}.`
      : `${(error as ServiceError).message} Give --delete-older if they may be.`,
  );
}
