import { endJob, getJob, mergeSpeakerNames } from '@app/jobs';
import { inTransaction } from '@app/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

let world: World;
let jobId: string;

beforeAll(async () => {
  world = await createJobWorld();
  jobId = await createCompletedJob();
});
afterAll(() => world.close());

async function createCompletedJob(): Promise<string> {
  const id = await world.newJob();
  await inTransaction(world.dataSource, (tx) =>
    endJob(tx, world.hooks, id, { status: 'completed', resultKey: 'key' }),
  );
  return id;
}
const setNames = (changes: Record<string, string | null>, id = jobId) =>
  mergeSpeakerNames(world.dataSource, id, changes);
const readNames = async () => (await getJob(world.dataSource, world.accountId, jobId)).speakerNames;

describe('mergeSpeakerNames', () => {
  it('names are added, replaced and removed per label', async () => {
    expect(await readNames()).toEqual({});
    expect(await setNames({ SPEAKER_1: 'Ada', SPEAKER_2: 'Grace' })).toEqual({
      SPEAKER_1: 'Ada',
      SPEAKER_2: 'Grace',
    });
    expect(await setNames({ SPEAKER_1: null, SPEAKER_3: `'"\\ {} $1` })).toEqual({
      SPEAKER_2: 'Grace',
      SPEAKER_3: `'"\\ {} $1`,
    });
    expect(await setNames({ SPEAKER_2: null, SPEAKER_3: null, SPEAKER_4: null })).toEqual({});
    expect(await readNames()).toEqual({});
  });

  it('concurrent changes of different labels are all stored', async () => {
    const all = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`SPEAKER_${at}`, `name ${at}`]));
    await Promise.all(Object.entries(all).map(([label, names]) => setNames({ [label]: names })));
    expect(await readNames()).toEqual(all);
  });

  it('concurrent changes of one label store one of the names', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `name ${at}`);
    await Promise.all(names.map((each) => setNames({ SPEAKER_1: each })));
    expect(names).toContain((await readNames())['SPEAKER_1']);
  });

  it('names of unfinished or unknown jobs are rejected', async () => {
    expect(await setNames({ SPEAKER_1: 'Ada' }, await world.newJob())).toBeNull();
    expect(await setNames({ SPEAKER_1: 'Ada' }, '0193a5c0-0000-7000-8000-000000000000')).toBeNull();
  });
});
