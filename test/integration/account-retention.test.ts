import { inTransaction } from '@app/database';
import { changeTranscriptRetention, endJob } from '@app/jobs';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

let world: World;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());
beforeEach(() => world.clear());

async function createTranscript(ageDays: number, accountId = world.accountId): Promise<void> {
  const id = await world.newJob({ of: accountId });
  const outcome = { status: 'completed', resultKey: `transcripts/${id}/f1/t.txt` } as const;
  await inTransaction(world.dataSource, (tx) => endJob(tx, world.hooks, id, outcome));
  await world.rows(
    'UPDATE job SET finished_at = now() - make_interval(days => $2) WHERE id = $1',
    id,
    ageDays,
  );
}

function change(days: number | null, { operatorDays = 0, deletesOlder = false, of = world.accountId } = {}) {
  return inTransaction(world.dataSource, (tx) =>
    changeTranscriptRetention(tx, of, { days, operatorDays, deletesOlder }),
  );
}

async function readRetention(accountId = world.accountId): Promise<number | null | undefined> {
  const account = await world.row<{ days: number | null }>(
    'SELECT transcript_retention_days AS days FROM account WHERE id = $1',
    accountId,
  );
  return account?.days;
}

const refusal = (field: string, detail: RegExp) => ({
  code: 'validation_failed',
  detail: expect.stringMatching(detail) as unknown,
  errors: [{ field }],
});

describe('changeTranscriptRetention', () => {
  it('a shorter period that deletes transcripts needs a confirmation, and names their number', async () => {
    await Promise.all([createTranscript(8), createTranscript(9), createTranscript(6)]);
    await createTranscript(100, await world.newAccount());
    await expect(change(7)).rejects.toMatchObject(
      refusal('delete_older_transcripts', /^2 transcripts are older/),
    );
    expect(await readRetention()).toBeNull();
    expect(await change(7, { deletesOlder: true })).toEqual({ from: null, older: 2 });
    expect(await readRetention()).toBe(7);
  });

  it('a longer period, the same one, and one that deletes nothing need none', async () => {
    await createTranscript(6);
    expect(await change(7)).toEqual({ from: null, older: 0 });
    await createTranscript(8);
    expect(await change(7)).toEqual({ from: 7, older: 0 });
    expect(await change(8)).toEqual({ from: 7, older: 0 });
    expect(await change(null)).toEqual({ from: 8, older: 0 });
  });

  it('what the setting of the operator deletes in any case needs none', async () => {
    await createTranscript(31);
    expect(await change(30, { operatorDays: 30 })).toEqual({ from: null, older: 0 });
    await expect(change(29, { operatorDays: 30 })).rejects.toMatchObject(
      refusal('delete_older_transcripts', /1 transcript is older/),
    );
  });

  it.each([
    { days: 0, operatorDays: 0, limits: /from 1 to 36500$/ },
    { days: 36_501, operatorDays: 0, limits: /from 1 to 36500$/ },
    { days: 31, operatorDays: 30, limits: /from 1 to 30$/ },
  ])('$days days are refused with $operatorDays of the operator', async ({ days, operatorDays, limits }) => {
    await expect(change(days, { operatorDays })).rejects.toMatchObject(refusal('transcript_days', limits));
  });

  it('the period of one account is not that of another', async () => {
    const other = await world.newAccount();
    await change(7);
    expect([await readRetention(), await readRetention(other)]).toEqual([7, null]);
    await expect(change(7, { of: uuidv7() })).rejects.toMatchObject({ code: 'no_such_resource' });
  });
});
