import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../lib/root.mjs';
import { readPages } from './build-site.mjs';
import { parseFenceInfo } from './samples.mjs';

describe('the info string of a code block', () => {
  it.each([
    ['sh run prints="a b"', { language: 'sh', run: true, background: false, prints: 'a b' }],
    ['sh run background', { language: 'sh', run: true, background: true }],
    ['js file=my-program/a.mjs', { language: 'js', run: false, background: false, file: 'my-program/a.mjs' }],
    [
      'sh not-run="needs a cluster"',
      { language: 'sh', run: false, background: false, notRun: 'needs a cluster' },
    ],
    ['', { language: '', run: false, background: false }],
    ['json', { language: 'json', run: false, background: false }],
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
  ])('%j is refused', (info, message) => {
    expect(() => parseFenceInfo(info)).toThrow(message);
  });
});

describe('the code blocks of the site', () => {
  it('run, except for as many as are listed here, each with a reason', async () => {
    const counts = {};
    for (const { page } of await readPages())
      for (const { type, info } of page.tokens) {
        if (type !== 'fence') continue;
        const { run, file, notRun } = parseFenceInfo(info);
        const kind = run || file !== undefined ? 'run' : notRun === undefined ? 'data' : 'notRun';
        counts[kind] = (counts[kind] ?? 0) + 1;
      }
    // Raise it only for code that a test cannot run, and say above the block why.
    expect(counts.notRun).toBeLessThanOrEqual(38);
    expect(counts.run).toBeGreaterThanOrEqual(50);
  });

  it('that are files are used by a block that runs on the same page', async () => {
    for (const { page } of await readPages()) {
      const fences = page.tokens.filter(({ type }) => type === 'fence');
      const commands = fences.filter(({ info }) => parseFenceInfo(info).run).map(({ content }) => content);
      for (const { info } of fences) {
        const name = parseFenceInfo(info).file?.split('/').at(-1);
        if (name === undefined) continue;
        expect(
          commands.some((command) => command.includes(name)),
          `${page.file}: ${name}`,
        ).toBe(true);
      }
    }
  });

  it('that show json are json', async () => {
    const blocks = (await readPages()).flatMap(({ page }) =>
      page.tokens.filter(({ type, info }) => type === 'fence' && info === 'json'),
    );
    expect(blocks.length).toBeGreaterThan(0);
    for (const { content } of blocks) expect(() => JSON.parse(content), content).not.toThrow();
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
