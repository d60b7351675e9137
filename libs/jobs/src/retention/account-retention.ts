import { Account } from '@app/database';
import { createInvalidFieldError, ServiceError } from '@app/errors';
import type { EntityManager } from 'typeorm';
import { countTranscriptsOlderThan } from './account-retention.repository.js';

/** Within a day, webhooks have been repeated and their receivers have fetched the transcript. */
export const MIN_ACCOUNT_RETENTION_DAYS = 1;
export const MAX_ACCOUNT_RETENTION_DAYS = 36_500;

/**
 * @param chosenDays by the account; null for the operator's setting alone
 * @param operatorDays 0 for ever
 * @returns days after which transcripts are deleted; null: never
 */
export function computeEffectiveRetentionDays(
  chosenDays: number | null,
  operatorDays: number,
): number | null {
  if (operatorDays === 0) return chosenDays;
  return Math.min(chosenDays ?? operatorDays, operatorDays);
}

export interface TranscriptRetentionChange {
  /** Null: the operator's setting. */
  days: number | null;
  /** 0 for ever. */
  operatorDays: number;
  /** Permits a change that deletes transcripts at once. */
  deletesOlder: boolean;
}

/**
 * For all transcripts of the account; a processor deletes those that are older.
 * @returns what was chosen before, and how many transcripts are deleted now
 * @throws ServiceError that names the field, as `PUT /console/api/account/retention` has it
 */
export async function changeTranscriptRetention(
  tx: EntityManager,
  accountId: string,
  { days, operatorDays, deletesOlder }: TranscriptRetentionChange,
): Promise<{ from: number | null; older: number }> {
  assertWithinLimits(days, operatorDays);
  const account = await tx.findOne(Account, {
    select: { id: true, transcriptRetentionDays: true },
    where: { id: accountId },
    // A full lock would wait for transactions that only refer to the account.
    lock: { mode: 'for_no_key_update' },
  });
  if (!account) throw new ServiceError('no_such_resource');
  const from = account.transcriptRetentionDays;
  const periods = {
    before: computeEffectiveRetentionDays(from, operatorDays),
    after: computeEffectiveRetentionDays(days, operatorDays),
  };
  const older = await countNewlyExpired(tx, accountId, periods);
  if (older > 0 && !deletesOlder)
    throw new ServiceError('validation_failed', {
      detail: `${older === 1 ? '1 transcript is' : `${older} transcripts are`} older than the new period and would be deleted.`,
      errors: [
        {
          field: 'delete_older_transcripts',
          message: 'must be true, because older transcripts would be deleted',
        },
      ],
    });
  await tx.update(Account, { id: accountId }, { transcriptRetentionDays: days });
  return { from, older };
}

function assertWithinLimits(days: number | null, operatorDays: number): void {
  if (days === null) return;
  const longest = operatorDays === 0 ? MAX_ACCOUNT_RETENTION_DAYS : operatorDays;
  if (!Number.isInteger(days) || days < MIN_ACCOUNT_RETENTION_DAYS || days > longest)
    throw createInvalidFieldError(
      'transcript_days',
      `must be a whole number from ${MIN_ACCOUNT_RETENTION_DAYS} to ${longest}`,
    );
}

/** None if the period does not become shorter: what was due before is deleted in any case. */
async function countNewlyExpired(
  tx: EntityManager,
  accountId: string,
  { before, after }: { before: number | null; after: number | null },
): Promise<number> {
  if (after === null || (before !== null && after >= before)) return 0;
  return countTranscriptsOlderThan(tx, accountId, after);
}
