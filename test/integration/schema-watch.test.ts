import { SchemaVersionMismatchReporter } from '@app/runtime';
import { Logger } from '@nestjs/common';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  type MockInstance,
  vi,
} from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

let world: World;
let logSpies: MockInstance[];
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());
beforeEach(() => {
  logSpies = (['warn', 'error'] as const).map((level) =>
    vi.spyOn(Logger.prototype, level).mockImplementation(() => undefined),
  );
});
afterEach(() => logSpies.forEach((spy) => spy.mockRestore()));

function createWatcher() {
  const degradedMessages = new Map<string, string | null>();
  const setDegradedMessage = (name: string, message: string | null) =>
    void degradedMessages.set(name, message);
  const logged = () => logSpies.flatMap(({ mock }) => mock.calls);
  return {
    degradedMessages,
    logged,
    watch: new SchemaVersionMismatchReporter(world.dataSource, { setDegradedMessage }),
  };
}

describe('SchemaVersionMismatchReporter', () => {
  it('an unchanged schema is not reported', async () => {
    const { watch, degradedMessages, logged } = createWatcher();
    await watch.poll();
    expect([degradedMessages.size, logged()]).toEqual([0, []]);
  });

  it('a schema that a restore made older is reported once, and its recovery once', async () => {
    const { watch, degradedMessages, logged } = createWatcher();
    const [last] = await world.rows<{ id: number; timestamp: number; name: string }>(
      'DELETE FROM schema_migration WHERE id = (SELECT max(id) FROM schema_migration) RETURNING *',
    );
    if (!last) throw new Error('There is a last migration.');
    for (let times = 0; times < 3; times += 1) await watch.poll();
    expect(degradedMessages.get('schema')).toBe('is older than this program');
    expect(logged()).toEqual([
      [
        { missing: [last.name], unknown: [], advice: expect.stringContaining('Restart every program') },
        'schema is older than this program',
      ],
    ]);
    await world.rows(
      'INSERT INTO schema_migration (timestamp, name) VALUES ($1, $2)',
      last.timestamp,
      last.name,
    );
    for (let times = 0; times < 3; times += 1) await watch.poll();
    expect(degradedMessages.get('schema')).toBeNull();
    expect(logged()).toHaveLength(2);
  });

  it('a schema that another version migrated is reported once as newer', async () => {
    const { watch, degradedMessages, logged } = createWatcher();
    await world.rows(`INSERT INTO schema_migration (timestamp, name) VALUES (9999999999999, 'Future')`);
    for (let times = 0; times < 3; times += 1) await watch.poll();
    expect(degradedMessages.get('schema')).toBe('is newer than this program');
    expect(logged()).toEqual([
      [
        { missing: [], unknown: ['Future'], advice: expect.stringContaining('replace it') },
        'schema is newer than this program',
      ],
    ]);
  });
});
