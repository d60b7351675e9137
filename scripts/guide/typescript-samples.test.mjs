import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../lib/root.mjs';
import { listSamples } from './list-samples.mjs';

/** The programs of the pages that use the client; those in JavaScript as TypeScript. */
const pages = await listSamples();
const samples = pages.flatMap(({ samples: ofPage }) =>
  ofPage.filter(({ file, code }) => file !== undefined && code.includes("from 'zephyr-client'")),
);

it('compiles each program with the client under strict, as TypeScript', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'samples-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const client = join(folder, 'node_modules', 'zephyr-client');
  await mkdir(client, { recursive: true });
  await symlink(join(ROOT, 'packages/client/src'), join(client, 'src'));
  const description = { name: 'zephyr-client', type: 'module', exports: './src/index.ts' };
  await writeFile(join(client, 'package.json'), JSON.stringify(description));
  const names = samples.map(({ file = '' }) => file.replaceAll('/', '-').replace(/\.m?[jt]s$/, '.mts'));
  for (const [at, { code }] of samples.entries()) await writeFile(join(folder, names[at] ?? ''), code);
  expect(names).toContain('my-program-segments.mts');
  expect(new Set(names).size).toBe(names.length);

  const program = ts.createProgram(
    names.map((name) => join(folder, name)),
    {
      strict: true,
      noEmit: true,
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
      skipLibCheck: true,
    },
  );
  const problems = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const name = file?.fileName.split('/').at(-1);
    return `${name}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
  expect(problems).toEqual([]);
}, 60_000);
