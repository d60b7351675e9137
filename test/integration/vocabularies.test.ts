import { VocabularyService } from '@app/jobs';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

let world: World;
let vocabularies: VocabularyService;
const recorded: object[] = [];
const record = async (_: unknown, change: object) => void recorded.push(change);

beforeAll(async () => {
  world = await createJobWorld();
  vocabularies = new VocabularyService(world.dataSource);
});
afterAll(() => world?.close());

describe('Vocabularies', () => {
  it('a name is that of one account', async () => {
    const [ours, theirs] = [await world.newAccount(), await world.newAccount()];
    const id = await vocabularies.create(ours, { name: 'People', terms: ['Ada'] }, record);
    await expect(vocabularies.resolveTerms(theirs, 'People', [])).rejects.toMatchObject({
      errors: [{ field: 'vocabulary', message: 'is no vocabulary of the account' }],
    });
    await vocabularies.create(theirs, { name: 'People', terms: ['Grace'] }, record);
    expect(await vocabularies.resolveTerms(ours, 'People', [])).toEqual(['Ada']);
    expect(await vocabularies.resolveTerms(theirs, 'People', [])).toEqual(['Grace']);
    for (const attempt of [
      () => vocabularies.get(theirs, id),
      () => vocabularies.change(theirs, id, { name: 'Taken', terms: ['x'] }, record),
      () => vocabularies.delete(theirs, id, record),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'no_such_resource' });
    expect((await vocabularies.get(ours, id)).terms).toEqual(['Ada']);
  });

  it('an unknown name names the nearest one, and the terms of a request come first', async () => {
    const account = await world.newAccount();
    await vocabularies.create(account, { name: 'Newsroom', terms: ['Ada', 'Grace'] }, record);
    await expect(vocabularies.resolveTerms(account, 'newsrom', [])).rejects.toMatchObject({
      errors: [{ field: 'vocabulary', message: 'is no vocabulary of the account; did you mean Newsroom?' }],
    });
    expect(await vocabularies.resolveTerms(account, 'Newsroom', ['Grace', 'Zoe'])).toEqual([
      'Grace',
      'Zoe',
      'Ada',
    ]);
  });

  it('two vocabularies of an account have different names, also when they are created at once', async () => {
    const account = await world.newAccount();
    const create = (name: string) => vocabularies.create(account, { name, terms: ['x'] }, record);
    const ends = await Promise.allSettled([create('Same'), create('Same'), create('Same')]);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { errors: [{ field: 'name' }] },
    });
    const other = await create('Other');
    await expect(
      vocabularies.change(account, other, { name: 'Same', terms: ['x'] }, record),
    ).rejects.toMatchObject({ errors: [{ field: 'name' }] });
  });

  it('a change of what was seen replaces it, unless somebody else has changed it meanwhile', async () => {
    const account = await world.newAccount();
    const id = await vocabularies.create(account, { name: 'A', terms: ['x'] }, record);
    const readVersion = async () => (await vocabularies.get(account, id)).updatedAt.toISOString();
    const change = (terms: string[], replaces?: string) =>
      vocabularies.change(account, id, { name: 'A', terms }, record, replaces);
    const seen = await readVersion();
    const ends = await Promise.allSettled([change(['x', 'mine'], seen), change(['x', 'theirs'], seen)]);
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'vocabulary_changed' },
    });
    const { terms } = await vocabularies.get(account, id);
    await change(terms, seen);
    await change(['y'], await readVersion());
    await change(['z']);
    expect((await vocabularies.get(account, id)).terms).toEqual(['z']);
  });

  it('the log of changes has names and numbers of terms, and no terms', async () => {
    const account = await world.newAccount();
    recorded.length = 0;
    const id = await vocabularies.create(account, { name: 'A', terms: ['secret'] }, record);
    const changed = { name: 'B', terms: ['secret', 'other'] };
    await vocabularies.change(account, id, changed, record);
    const { updatedAt } = await vocabularies.get(account, id);
    await vocabularies.change(account, id, changed, record);
    expect(await vocabularies.get(account, id), 'the same once more').toMatchObject({ updatedAt });
    await vocabularies.delete(account, id, record);
    expect(recorded).toEqual([
      { action: 'vocabulary.created', target: id, details: { name: 'A', terms: 1 } },
      { action: 'vocabulary.changed', target: id, details: { name: 'B', terms: 2 } },
      { action: 'vocabulary.deleted', target: id, details: { name: 'B', terms: 2 } },
    ]);
    await expect(vocabularies.get(account, uuidv7())).rejects.toMatchObject({ code: 'no_such_resource' });
  });

  it('an account has at most fifty', async () => {
    const account = await world.newAccount();
    for (let at = 0; at < 50; at += 1)
      await vocabularies.create(account, { name: `v${at}`, terms: ['x'] }, record);
    await expect(
      vocabularies.create(account, { name: 'one more', terms: ['x'] }, record),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect(await vocabularies.list(account)).toHaveLength(50);
  });
});
