import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { synthesizeSpeech } from './support/audio.js';
import type { Service } from './support/service.js';

const run = promisify(execFile);
const resolvePath = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const MODULES = resolvePath('../../node_modules');
const DOCUMENT = resolvePath('../../docs/openapi.json');

/** Strict, like the compilers of callers; the generated files are checked with the programs. */
const COMPILER_OPTIONS = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  types: ['node'],
  rootDir: '.',
  outDir: 'compiled',
};

/** The output of a program of `clients/`. */
interface ClientReport {
  created: string;
  completed: string;
  streamed: string[];
  outputType: string;
  listed: string[];
  problem: [number, string];
  /** As returned by the list and as sent by the webhook. */
  metadata: Record<string, string>[];
  notified: string;
}

/** Two common generators generate clients from the committed document; programs that use them are compiled and run. */
export function describeGeneratedClients(getService: () => Service): void {
  let folder: string;
  let audioPath: string;

  const tool = (name: string, ...args: string[]) =>
    run(process.execPath, [join(MODULES, name), ...args], { cwd: folder });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'e2e-clients-'));
    audioPath = join(folder, 'talk.wav');
    await Promise.all([
      cp(resolvePath('./clients'), folder, { recursive: true }),
      symlink(MODULES, join(folder, 'node_modules')),
      writeFile(join(folder, 'package.json'), '{"type":"module"}'),
      writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS })),
      synthesizeSpeech('I can see the library from the small mountain.').then((bytes) =>
        writeFile(audioPath, bytes),
      ),
    ]);
    await Promise.all([
      tool('openapi-typescript/bin/cli.js', DOCUMENT, '-o', 'schema.ts'),
      tool('@hey-api/openapi-ts/bin/run.js', '-i', DOCUMENT, '-o', 'generated'),
    ]);
    await tool('typescript/bin/tsc', '-p', '.').catch((error: unknown) => {
      throw new Error(`The programs do not compile:\n${(error as { stdout: string }).stdout}`, {
        cause: error,
      });
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function runClient(program: string): Promise<ClientReport> {
    const { baseUrl } = getService();
    const args = [join(folder, 'compiled', program), baseUrl, await getService().apiKey(), audioPath];
    const { stdout } = await run(process.execPath, args, { timeout: 60_000 });
    return JSON.parse(stdout) as ClientReport;
  }

  describe('a client generated from the OpenAPI document', () => {
    it.each([
      ['openapi-typescript and openapi-fetch', 'openapi-fetch.js'],
      ['@hey-api/openapi-ts', 'hey-api.js'],
    ])('by %s uploads, streams, lists, and parses a problem and a webhook', async (_, program) => {
      const { created, completed, streamed, outputType, listed, problem, metadata, notified } =
        await runClient(program);
      expect([completed, outputType]).toEqual(['queued', 'txt']);
      expect(streamed.at(-1)).toBe('completed');
      expect(listed).toEqual([created]);
      const expectedMetadata = { program: program.replace('.js', '') };
      expect(metadata).toEqual([expectedMetadata, expectedMetadata]);
      expect(problem).toEqual([404, expect.any(String)]);
      const transcript = await fetch(notified);
      expect(await transcript.text()).toMatch(/library/i);
    });
  });
}
