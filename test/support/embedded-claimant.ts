import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const SOURCE = fileURLToPath(new URL('../../libs/database/src/embedded/', import.meta.url));

const PROGRAM = `
import { acquireEmbeddedPostgres } from './acquire-embedded-postgres.js';
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

/** Compiles the client for plain Node, as a build would; returns the folder. */
export async function compileClaimant(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'claimant-'));
  for (const name of ['acquire-embedded-postgres', 'supervisor-connection']) {
    const { outputText } = ts.transpileModule(await readFile(join(SOURCE, `${name}.ts`), 'utf8'), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
    });
    await writeFile(join(folder, `${name}.js`), outputText);
  }
  await symlink(join(SOURCE, 'supervisor'), join(folder, 'supervisor'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'program.js'), PROGRAM);
  return folder;
}

export function startClaimant(folder: string, dataDir: string): Claimant {
  const child = spawn(process.execPath, [join(folder, 'program.js'), dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const url = new Promise<string>((resolve, reject) => {
    let said = '';
    createInterface({ input: child.stdout }).on('line', (line) => {
      said += `${line}\n`;
      if (line.startsWith('url ')) resolve(line.slice(4));
    });
    // `close` comes after the last output.
    child.once('close', () => reject(new Error(said || 'The claimant said nothing.')));
  });
  url.catch(() => undefined);
  return { process: child, url };
}
