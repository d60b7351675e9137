import {
  afterCommit,
  createDataSource,
  deferPreparedStatementToNextRoundTrip,
  inTransaction,
  queryInOneRoundTrip,
  buildFailUnlessSql,
} from '@app/database';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RequireCondition1795645884000 } from '../../libs/database/src/migrations/1795645884000-require-condition.js';
import { createThrowawayDatabase } from '../support/postgres.js';
import { RoundTripRecorder } from '../support/round-trip-recorder.js';

let database: Awaited<ReturnType<typeof createThrowawayDatabase>>;
let dataSource: DataSource;
const recorder = new RoundTripRecorder();

beforeAll(async () => {
  recorder.start();
  database = await createThrowawayDatabase();
  dataSource = await createDataSource({
    url: database.url,
    poolSize: 2,
    applicationName: 'zephyr-test',
  }).initialize();
  await dataSource.query('CREATE TABLE note (text text)');
  const runner = dataSource.createQueryRunner();
  await new RequireCondition1795645884000().up(runner);
  await runner.release();
});
afterAll(async () => {
  await dataSource?.destroy();
  await database?.drop();
  recorder.stop();
});

const readNotes = () => dataSource.query<{ text: string }[]>('SELECT text FROM note');

describe('afterCommit', () => {
  it('the callback runs after the commit is visible to others, and not before', async () => {
    const seen: unknown[] = [];
    await inTransaction(dataSource, async (tx) => {
      afterCommit(tx, () => seen.push('called'));
      await tx.query(`INSERT INTO note VALUES ('kept')`);
      seen.push(await readNotes());
    });
    expect(seen).toEqual([[], 'called']);
    expect(await readNotes()).toEqual([{ text: 'kept' }]);
  });

  it('the callback does not run after a rollback', async () => {
    const seen: string[] = [];
    const rolledBack = inTransaction(dataSource, async (tx) => {
      afterCommit(tx, () => void seen.push('called'));
      await Promise.reject(new Error('undone'));
    });
    await expect(rolledBack).rejects.toThrow('undone');
    expect(seen).toEqual([]);
  });

  it('the callback runs once for a transaction that was restarted', async () => {
    const seen: number[] = [];
    let attempt = 0;
    await inTransaction(dataSource, async (tx) => {
      attempt += 1;
      const ownAttempt = attempt;
      afterCommit(tx, () => void seen.push(ownAttempt));
      if (attempt === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
      await tx.query('SELECT 1');
    });
    expect(seen).toEqual([2]);
  });
});

describe('deferPreparedStatementToNextRoundTrip', () => {
  const ADD = { name: 'add-note', text: 'INSERT INTO note VALUES ($1) RETURNING text' };
  const COUNT = { name: 'count-notes', text: 'SELECT count(*)::int AS number FROM note' };
  const REQUIRE_NONE = {
    name: 'require-no-notes',
    text: `SELECT ${buildFailUnlessSql('NOT EXISTS (SELECT FROM note)', 'no notes')}`,
  };
  const createError = (requirement: string) => new Error(`refused: ${requirement}`);
  const listTexts = async () => (await readNotes()).map(({ text }) => text);
  beforeEach(async () => {
    await dataSource.query('DELETE FROM note');
    recorder.take();
  });

  it('statements are sent in order, in one round trip with the commit', async () => {
    const seen: unknown[] = [];
    await inTransaction(dataSource, async (tx) => {
      afterCommit(tx, () => seen.push('committed'));
      await deferPreparedStatementToNextRoundTrip(tx, ADD, ['first'], {
        onRows: (rows) => void seen.push(rows),
      });
      await deferPreparedStatementToNextRoundTrip(tx, COUNT, [], { onRows: (rows) => void seen.push(rows) });
      seen.push('work done');
    });
    expect(recorder.take().map(({ text }) => text)).toEqual(['add-note; count-notes']);
    expect(seen).toEqual(['work done', [{ text: 'first' }], [{ number: 1 }], 'committed']);
    expect(await listTexts()).toEqual(['first']);
  });

  it('they are sent before the next statement of the transaction, and undone with it', async () => {
    const seen: unknown[] = [];
    const rolledBack = inTransaction(dataSource, async (tx) => {
      await deferPreparedStatementToNextRoundTrip(tx, ADD, ['second']);
      seen.push(await tx.query('SELECT text FROM note'));
      await deferPreparedStatementToNextRoundTrip(tx, ADD, ['third']);
      throw new Error('undone');
    });
    await expect(rolledBack).rejects.toThrow('undone');
    expect(recorder.take().map(({ text }) => text)).toEqual([
      'begin; add-note',
      'SELECT text FROM note',
      'ROLLBACK',
    ]);
    expect(seen).toEqual([[{ text: 'second' }]]);
    expect(await listTexts()).toEqual([]);
  });

  it.each([false, true])(
    'nothing is committed if a requirement does not hold (after another statement: %s)',
    async (hasOther) => {
      let isCommitted = false;
      const refused = inTransaction(dataSource, async (tx) => {
        afterCommit(tx, () => void (isCommitted = true));
        if (hasOther) await tx.query('SELECT 1');
        await deferPreparedStatementToNextRoundTrip(tx, ADD, ['fourth']);
        await deferPreparedStatementToNextRoundTrip(tx, REQUIRE_NONE, [], { createError });
        await deferPreparedStatementToNextRoundTrip(tx, ADD, ['fifth']);
      });
      await expect(refused).rejects.toThrow('refused: no notes');
      expect([isCommitted, await listTexts()]).toEqual([false, []]);
    },
  );

  it('a statement that failed when it was first sent on a connection runs there again', async () => {
    const divide = { name: 'divide', text: 'SELECT 1 / $1::int AS quotient' };
    const connections = [0, 1];
    const run = (by: number) =>
      inTransaction(dataSource, (tx) => deferPreparedStatementToNextRoundTrip(tx, divide, [by]));
    await Promise.all(connections.map(() => expect(run(0)).rejects.toMatchObject({ code: '22012' })));
    await Promise.all(connections.map(() => run(1)));
  });

  it('each statement sees what was committed before it began', async () => {
    const seen: unknown[] = [];
    const lock = { name: 'lock-notes', text: 'SELECT pg_advisory_xact_lock(7)' };
    let other: Promise<void> | undefined;
    await inTransaction(dataSource, async (tx) => {
      await tx.query(`INSERT INTO note VALUES ('sixth')`);
      await tx.query(lock.text);
      other = inTransaction(dataSource, async (waiting) => {
        await deferPreparedStatementToNextRoundTrip(waiting, lock, []);
        await deferPreparedStatementToNextRoundTrip(waiting, COUNT, [], {
          onRows: (rows) => void seen.push(rows),
        });
      });
      const isWaiting = () =>
        tx.query(`SELECT FROM pg_locks WHERE NOT granted AND locktype = 'advisory' AND objid = 7`);
      await expect.poll(isWaiting).toHaveLength(1);
    });
    await other;
    expect(seen).toEqual([[{ number: 1 }]]);
  });

  it('a value that cannot be sent fails before anything is', async () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const failed = inTransaction(dataSource, async (tx) => {
      await deferPreparedStatementToNextRoundTrip(tx, ADD, ['seventh']);
      await deferPreparedStatementToNextRoundTrip(tx, ADD, [circular]);
    });
    await expect(failed).rejects.toThrow(/circular/i);
    expect(await listTexts()).toEqual([]);
  });

  it('a serialization failure restarts the transaction', async () => {
    await dataSource.query(`CREATE SEQUENCE tries; CREATE FUNCTION fail_once() RETURNS void LANGUAGE plpgsql AS
      $$ BEGIN IF nextval('tries') = 1 THEN RAISE EXCEPTION 'once more' USING ERRCODE = '40001'; END IF; END $$`);
    const fail = { name: 'fail-once', text: 'SELECT fail_once()' };
    await inTransaction(dataSource, async (tx) => {
      await deferPreparedStatementToNextRoundTrip(tx, ADD, ['eighth']);
      await deferPreparedStatementToNextRoundTrip(tx, fail, []);
    });
    expect(await listTexts()).toEqual(['eighth']);
  });

  it('several reads are one round trip', async () => {
    const [counts, none] = await queryInOneRoundTrip(dataSource, [
      { ...COUNT, values: [] },
      { name: 'find-note', text: 'SELECT text FROM note WHERE text = $1', values: ['ninth'] },
    ]);
    expect([counts, none]).toEqual([[{ number: 0 }], []]);
    expect(recorder.take()).toHaveLength(1);
  });
});
