import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { loadConfig, renderConfigReference } from '@app/config';
import { ROOT } from '../lib/root.mjs';
import { readPages } from './build-site.mjs';
import { DEFAULT_TEST, parseFenceInfo } from './samples.mjs';

describe('the info string of a code block', () => {
  const run = DEFAULT_TEST;

  it.each([
    ['sh run prints="a b"', { language: 'sh', run, background: false, prints: 'a b' }],
    ['sh run background', { language: 'sh', run, background: true }],
    ['sh run background="is ready"', { language: 'sh', run, background: true, ready: 'is ready' }],
    ['sh run=test/a.test.ts', { language: 'sh', run: 'test/a.test.ts', background: false }],
    ['js file=my-program/a.mjs', { language: 'js', background: false, file: 'my-program/a.mjs' }],
    ['sh not-run="needs a cluster"', { language: 'sh', background: false, notRun: 'needs a cluster' }],
    ['', { language: '', background: false }],
    ['json', { language: 'json', background: false }],
    ['env', { language: 'env', background: false }],
  ])('%j is read', (info, expected) => {
    expect(parseFenceInfo(info)).toEqual(expected);
  });

  it.each([
    ['sh', 'code needs one of run'],
    ['yaml', 'code needs one of run'],
    ['sh run not-run="x"', 'code needs one of run'],
    ['sh not-run', 'needs a reason'],
    ['js run', 'only sh runs'],
    ['sh ran', 'is none of run'],
    ['js file=a.mjs prints="x"', 'for code that runs'],
    ['json run', 'is data'],
    ['env file=a', 'is data'],
  ])('%j is refused', (info, message) => {
    expect(() => parseFenceInfo(info)).toThrow(message);
  });
});

/** All blocks of the site, with the file of their page. */
const blocks = (await readPages()).flatMap(({ page }) =>
  page.tokens
    .filter(({ type }) => type === 'fence')
    .map(({ info, content }) => ({ page: page.file, code: content, ...parseFenceInfo(info) })),
);

describe('the code blocks of the site', () => {
  it('run', () => {
    const isRun = ({ run, file }) => run !== undefined || file !== undefined;
    // If no test can run a block, allow it here and say above the block why.
    expect(blocks.filter(({ notRun }) => notRun !== undefined)).toEqual([]);
    expect(blocks.filter(isRun).length).toBeGreaterThanOrEqual(100);
  });

  it('that are files are used by a block that runs on the same page', () => {
    for (const { page, file } of blocks) {
      const name = file?.split('/').at(-1);
      if (name === undefined) continue;
      const commands = blocks.filter((block) => block.page === page && block.run !== undefined);
      expect(
        commands.some(({ code }) => code.includes(name)),
        `${page}: ${name}`,
      ).toBe(true);
    }
  });

  it('that run in a test of their own are read from the page by that test', async () => {
    const tests = new Set(blocks.map(({ run }) => run).filter((run) => run !== undefined));
    expect(tests).toContain(DEFAULT_TEST);
    for (const test of tests) {
      const call = test === DEFAULT_TEST ? 'listSamples()' : `listSamples('${test}')`;
      expect(await readFile(join(ROOT, test), 'utf8')).toContain(call);
    }
  });

  it('that show settings name settings of the service, with values that it accepts', () => {
    const shown = blocks.filter(({ language }) => language === 'env');
    const names = [...renderConfigReference().matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(shown.length).toBeGreaterThan(5);
    for (const { page, code } of shown) {
      // An ellipsis stands for a value of the reader.
      const settings = parseEnv(code.replaceAll('…', 'value'));
      expect(Object.keys(settings).length, page).toBeGreaterThan(0);
      expect(
        Object.keys(settings).filter((name) => !names.includes(name)),
        page,
      ).toEqual([]);
      expect(() => loadConfig(settings), page).not.toThrow();
    }
  });

  it('that show json are json', () => {
    const shown = blocks.filter(({ language }) => language === 'json');
    expect(shown.length).toBeGreaterThan(0);
    for (const { page, code } of shown) expect(() => JSON.parse(code), page).not.toThrow();
  });
});

describe('the walk-through of the README', () => {
  it('has the commands of the quick start with curl', async () => {
    const read = async (name) => readFile(join(ROOT, name), 'utf8');
    const commands = (text) =>
      (/```sh[^\n]*\n(KEY=[^]*?)```/.exec(text)?.[1] ?? '').replace(/^#.*$/gm, '').trim();
    const quickStart = commands(await read('docs/guide/quick-start-curl.md'));
    expect(quickStart).toContain('/upload/complete');
    expect(commands(await read('README.md'))).toBe(quickStart);
  });
});
