import { type ChildProcess, spawn } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compileSources } from './compile-sources.js';

const EMBEDDED = 'libs/database/src/embedded';

const PROGRAM = `
import { acquireEmbeddedPostgres } from './${EMBEDDED}/acquire-embedded-postgres.js';
const logger = { info: (line) => console.log('log ' + line), warn: (line) => console.log('log ' + line) };
try {
  const { url, release } = await acquireEmbeddedPostgres({ dataDir: process.argv[2], logger, durable: false });
  console.log('url ' + url);
  process.stdin.once('data', async () => { await release(); process.exit(0); });
  process.stdin.once('end', () => undefined);
} catch (error) {
  console.log('error ' + error.message);
  process.exit(1);
}
`;

/** Another program that claims the embedded Postgres. */
export interface Claimant {
  process: ChildProcess;
  /** The database URL when it is ready; rejects with the output otherwise. */
  url: Promise<string>;
}

export interface ClaimantProgram {
  path: string;
  remove(): Promise<void>;
}

/** Compiles the claimant, so that Node can run it without vitest. */
export async function compileClaimant(): Promise<ClaimantProgram> {
  const compiled = await compileSources([
    `${EMBEDDED}/acquire-embedded-postgres.ts`,
    `${EMBEDDED}/supervisor-connection.ts`,
  ]);
  const supervisor = fileURLToPath(new URL(`../../${EMBEDDED}/supervisor`, import.meta.url));
  await symlink(supervisor, compiled.path(`${EMBEDDED}/supervisor`));
  const path = compiled.path('program.js');
  await writeFile(path, PROGRAM);
  return { path, remove: () => compiled.remove() };
}

/** @param wrapper a command that runs it, such as one that makes namespaces */
export function startClaimant(path: string, dataDir: string, wrapper: readonly string[] = []): Claimant {
  const [command, ...parameters] = [...wrapper, process.execPath, path, dataDir];
  const child = spawn(command, parameters, {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const url = new Promise<string>((resolve, reject) => {
    let output = '';
    createInterface({ input: child.stdout }).on('line', (line) => {
      output += `${line}\n`;
      if (line.startsWith('url ')) resolve(line.slice(4));
    });
    // `close` follows the last output.
    child.once('close', () => reject(new Error(output || 'The claimant ended without output.')));
  });
  url.catch(() => undefined);
  return { process: child, url };
}
