import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildEnvironment, mainPath } from './support/program.js';
import type { Service } from './support/service.js';
import { until } from './support/until.js';

const ENTRIES = 1_000;
/** The capacity of a Linux pipe, after which its writer blocks. */
const PIPE_BYTES = 65_536;

export function describeOperatorOutput(getService: () => Service): void {
  let service: Service;
  let database: pg.Client;
  let showArgs: string[];

  beforeAll(async () => {
    service = getService();
    database = new pg.Client(await service.databaseUrl());
    await database.connect();
    const { account_id } = await service.openAccount(0);
    await database.query(
      `INSERT INTO credit_entry (account_id, kind, amount, note)
       SELECT $1, 'grant', 1, 'month ' || number FROM generate_series(1, $2) number`,
      [account_id, ENTRIES],
    );
    await database.query('UPDATE account SET balance = $2 WHERE id = $1', [account_id, ENTRIES]);
    showArgs = ['credits', 'show', '--account', account_id, '--limit', String(ENTRIES), '--json'];
  });
  afterAll(() => database?.end());

  const isCommandConnected = async () => {
    const { rows } = await database.query(
      `SELECT 1 FROM pg_stat_activity WHERE application_name = 'zephyr-admin' AND datname = current_database()`,
    );
    return rows.length > 0;
  };

  describe.runIf(process.platform === 'linux')(
    'operator commands that write to a pipe (skipped without the pipes of Linux)',
    () => {
      it('a slow reader receives the whole output', async () => {
        const pipe = new Pipe(join(service.dataDir, 'slow-reader'));
        const { command, stderr } = pipe.fillFrom(showArgs, service);
        await until('the command has begun to write', () => pipe.read(1));
        await until('the command has closed its database', async () => !(await isCommandConnected()));
        const ended = once(command, 'exit');
        await until('the output ends', () => !pipe.read());
        expect(pipe.output.length).toBeGreaterThan(PIPE_BYTES);
        const { entries } = JSON.parse(pipe.output) as { entries: unknown[] };
        expect(entries).toHaveLength(ENTRIES);
        expect(await ended).toEqual([0, null]);
        expect(await stderr).toBe('');
        pipe.close();
      });

      it('a reader that closes the pipe, like `head`, ends the command silently with the code of a closed pipe', async () => {
        const pipe = new Pipe(join(service.dataDir, 'closing-reader'));
        const { command, stderr } = pipe.fillFrom(showArgs, service);
        const ended = once(command, 'exit');
        await until('the command has begun to write', () => pipe.read(1));
        pipe.close();
        expect(await ended).toEqual([128 + 13, null]);
        expect(await stderr).toBe('');
      });
    },
  );
}

/** A named pipe whose reader is this process, which reads only on demand. */
class Pipe {
  output = '';
  private readonly reader: number;

  constructor(private readonly path: string) {
    execFileSync('mkfifo', [path]);
    this.reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  }

  fillFrom(args: string[], { settings }: Service): { command: ChildProcess; stderr: Promise<string> } {
    const writer = openSync(this.path, 'w');
    const command = spawn(process.execPath, [mainPath('admin'), ...args], {
      env: buildEnvironment(settings),
      stdio: ['ignore', writer, 'pipe'],
    });
    closeSync(writer);
    return { command, stderr: command.stderr ? text(command.stderr) : Promise.resolve('') };
  }

  /** @returns whether the writer may write more. @throws when there is nothing to read yet */
  read(bytes = PIPE_BYTES): boolean {
    const buffer = Buffer.alloc(bytes);
    const length = readSync(this.reader, buffer);
    this.output += buffer.toString('utf8', 0, length);
    return length > 0;
  }

  close(): void {
    closeSync(this.reader);
  }
}
