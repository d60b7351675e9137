import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { Client } from './client.js';
import { createKey, openAccount } from './open-account.js';
import { type Environment, type ProgramResult, runProgram } from './program.js';

export interface Account {
  account_id: string;
  api_key: string;
}

export interface CreatedKey {
  key_id: string;
  api_key: string;
}

/** A started service, also one that another process has started and will stop. */
export class RunningService {
  constructor(
    readonly dataDir: string,
    readonly port: number,
    protected readonly env: Environment,
  ) {}

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Its settings, for additional programs. */
  get settings(): Environment {
    // A suite makes more requests with one key than the default limit allows.
    return {
      RATE_LIMIT_FACTOR: '100',
      DEVELOPMENT_ACCOUNT: 'true',
      DRAIN_SECONDS: '0',
      ...this.env,
      DATA_DIR: this.dataDir,
      PORT: String(this.port),
    };
  }

  /** The key of the development account. */
  async apiKey(): Promise<string> {
    return (await readFile(join(this.dataDir, 'dev-api-key'), 'utf8')).trim();
  }

  /** A client with the key of the development account, or with another key. */
  async client(apiKey?: string): Promise<Client> {
    return new Client(this.baseUrl, apiKey ?? (await this.apiKey()));
  }

  /** Runs an operator command to its end. */
  admin(...args: string[]): Promise<ProgramResult> {
    return runProgram('admin', args, this.settings);
  }

  /** Runs an operator command that must succeed; @returns its output, as JSON. */
  async adminJson<T>(...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await this.admin(...args);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }

  openAccount(credits: number): Promise<Account> {
    return openAccount(this, credits);
  }

  /** An additional key of an account. */
  createKey(accountId: string, name = 'another key'): Promise<CreatedKey> {
    return createKey(this, accountId, name);
  }

  /** The URL of its database, for tests that read or change state without an HTTP interface. */
  async databaseUrl(): Promise<string> {
    const configuredUrl = this.env['DATABASE_URL'];
    if (configuredUrl !== undefined) return configuredUrl;
    const settings = await readFile(join(this.dataDir, 'postgres', 'settings.json'), 'utf8');
    const { port, password } = JSON.parse(settings) as { port: number; password: string };
    return `postgres://zephyr:${password}@127.0.0.1:${port}/postgres`;
  }

  /** Runs SQL for tests that read or change state without an HTTP interface. */
  async query<T extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<T[]> {
    const client = new pg.Client({ connectionString: await this.databaseUrl() });
    await client.connect();
    try {
      return (await client.query<T>(sql, values)).rows;
    } finally {
      await client.end();
    }
  }
}
