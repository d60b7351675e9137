import { createHash, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import {
  acquireEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../libs/database/src/embedded/acquire-embedded-postgres.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A killed run does not drop its databases; a later run drops those that are older than this. */
const STALE_MS = 2 * 60 * 60 * 1000;

/** An empty database, or a copy of a template, for one test or file. */
export interface ThrowawayDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** The content of every copy. It is created once for each server: change `key` when the effect of `prepare` changes. */
export interface DatabaseTemplateRecipe {
  key: string;
  prepare(url: string): Promise<void>;
}

let server: Promise<EmbeddedPostgres> | undefined;
/** Kept open, because to connect takes as long as to create a database. */
let administrator: Promise<Client> | undefined;

const CHECKOUT = createHash('sha256').update(ROOT).digest('hex').slice(0, 12);

/** The data folder of the server that all tests of this checkout share between runs. */
export const TEST_DATA_DIR = join(tmpdir(), `zephyr-tests-${process.getuid?.() ?? 0}-${CHECKOUT}`);

/** Starts or joins the shared server, which runs at least until `release`. */
export async function acquireTestServer(): Promise<EmbeddedPostgres> {
  const logger = { info: () => undefined, warn: (line: string) => console.warn(line) };
  return acquireEmbeddedPostgres({ dataDir: TEST_DATA_DIR, logger, durable: false });
}

/** Creates a database on the shared server, which this process uses until it ends. */
export function createThrowawayDatabase(template?: DatabaseTemplateRecipe): Promise<ThrowawayDatabase> {
  return createDatabase(async (url) => (template ? ensureTemplate(url, template) : 'template0'));
}

/** Nobody may be connected to the source. */
export function copyThrowawayDatabase({ url }: ThrowawayDatabase): Promise<ThrowawayDatabase> {
  return createDatabase(async () => new URL(url).pathname.slice(1));
}

async function createDatabase(findSource: (url: string) => Promise<string>): Promise<ThrowawayDatabase> {
  server ??= acquireTestServer();
  const { url } = await server;
  const name = `t_${Date.now()}_${randomBytes(6).toString('hex')}`;
  const source = await findSource(url);
  const client = await connectAdministrator(url);
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY file_copy`);
  return {
    url: databaseUrl(url, name),
    drop: async () => dropDatabase(await connectAdministrator(url), name),
  };
}

/** @returns the connection that this process keeps, which does not keep this process running */
function connectAdministrator(url: string): Promise<Client> {
  const forget = () => (administrator = undefined);
  const connect = async () => {
    const client = new Client({ connectionString: url });
    client.on('error', forget);
    await client.connect();
    // Its types lack the method.
    (client as Client & { unref(): void }).unref();
    return client;
  };
  if (!administrator) {
    administrator = connect();
    administrator.catch(forget);
  }
  return administrator;
}

/** Names of templates that this process has found or created. */
const existingTemplates = new Set<string>();

/** Drops a template that no later run needs. */
export async function dropTemplate(template: DatabaseTemplateRecipe): Promise<void> {
  server ??= acquireTestServer();
  const { url } = await server;
  existingTemplates.delete(templateName(template));
  await dropDatabase(await connectAdministrator(url), templateName(template));
}

function templateName({ key }: DatabaseTemplateRecipe): string {
  return `template_${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
}

/** Creates the template's database if it is missing, while other callers wait. @returns its name */
async function ensureTemplate(url: string, template: DatabaseTemplateRecipe): Promise<string> {
  const name = templateName(template);
  if (existingTemplates.has(name)) return name;
  // A connection of its own: within one session a second caller would get the lock, too.
  await withClient(url, async (client) => {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) {
      await dropStaleDatabases(client);
      const draft = `${name}_new`;
      await dropDatabase(client, draft);
      await client.query(`CREATE DATABASE ${draft} TEMPLATE template0`);
      await template.prepare(databaseUrl(url, draft));
      await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
    }
  });
  existingTemplates.add(name);
  return name;
}

async function dropStaleDatabases(client: Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    "SELECT datname FROM pg_database WHERE datname ~ '^t_[0-9]+_'",
  );
  for (const { datname } of rows) {
    if (Date.now() - Number(datname.split('_')[1]) > STALE_MS) await dropDatabase(client, datname);
  }
}

async function dropDatabase(client: Client, name: string): Promise<void> {
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function databaseUrl(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
