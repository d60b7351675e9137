import { randomUUID } from 'node:crypto';
import { inTransaction } from '@app/database';
import {
  deleteTranscriptCorrectionIfUnchanged,
  listTranscriptCorrections,
  saveSegmentCorrectionIfUnchanged,
} from '@app/jobs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

const SEGMENT = 2;

let world: World;
let userId: string;
let jobId: string;

beforeAll(async () => {
  world = await createJobWorld();
  userId = randomUUID();
  await world.dataSource.query(
    `INSERT INTO app_user (id, email, name) VALUES ($1, 'corrector@example.org', 'Corrector')`,
    [userId],
  );
});

afterAll(() => world.close());

beforeEach(async () => {
  jobId = await world.newJob({ enqueue: false });
});

const save = (text: string, replaced: string | null) =>
  inTransaction(world.dataSource, (tx) =>
    saveSegmentCorrectionIfUnchanged(tx, { jobId, segment: SEGMENT, text, userId }, replaced),
  );
const remove = (seen: string | null) =>
  inTransaction(world.dataSource, (tx) => deleteTranscriptCorrectionIfUnchanged(tx, jobId, SEGMENT, seen));
const listTexts = async () =>
  (await listTranscriptCorrections(world.dataSource, world.accountId, jobId)).map(({ text }) => text);

describe('a correction', () => {
  it('is saved over the one that was seen only', async () => {
    expect(await save('first', 'never there')).toBe(false);
    expect(await listTexts()).toEqual([]);
    expect(await save('first', null)).toBe(true);
    expect(await save('second', null)).toBe(false);
    expect(await save('second', 'another')).toBe(false);
    expect(await listTexts()).toEqual(['first']);
    expect(await save('second', 'first')).toBe(true);
    expect(await listTexts()).toEqual(['second']);
  });

  it('is no difference if it has the new text already', async () => {
    await save('same', null);
    expect(await save('same', null)).toBe(true);
    expect(await save('same', 'another')).toBe(true);
    expect(await listTexts()).toEqual(['same']);
  });

  it('is deleted only if it is the one that was seen', async () => {
    expect(await remove(null)).toBe('unchanged');
    await save('first', null);
    expect(await remove(null)).toBe('changed');
    expect(await remove('another')).toBe('changed');
    expect(await listTexts()).toEqual(['first']);
    expect(await remove('first')).toBe('deleted');
    expect(await remove('first')).toBe('unchanged');
  });

  it('of two members at the same time is that of the first', async () => {
    const results = await Promise.all(['mine', 'theirs'].map((text) => save(text, null)));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await listTexts()).toHaveLength(1);
  });
});
