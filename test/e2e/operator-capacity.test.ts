import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from './support/program.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capacity-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Without a service and without a database. */
const capacity = (...args: string[]) => runProgram('admin', ['capacity', ...args], { DATA_DIR: folder });

describe('the operator command capacity', () => {
  it('prints an estimate for people', async () => {
    const { code, stdout, stderr } = await capacity('--hours-per-day', '2400', '--engine', 'pocketsphinx');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^busiest hour +200 hours of audio/);
    expect(stdout).toMatch(/^processors +\d+, on \d+ machines with 8 cores/m);
    expect(stdout).toContain('give --core-price, --storage-price');
  });

  it('prints input, estimate and figures with their sources as JSON', async () => {
    const prices = ['--core-price', '0.04', '--recogniser-price', '1.2', '--storage-price', '0.02'];
    const engine = ['--engine', 'openai', '--speed', '200'];
    const { code, stdout } = await capacity('--hours-per-day', '100000', ...engine, ...prices, '--json');
    expect(code).toBe(0);
    const printed = JSON.parse(stdout) as {
      input: { queue: string };
      estimate: { recognisers: number; cost: { per_audio_hour: number } };
      figures: Record<string, { source: string }>;
    };
    expect(printed.input.queue).toBe('redis');
    expect(printed.estimate.recognisers).toBe(60);
    expect(printed.estimate.cost.per_audio_hour).toBeGreaterThan(0);
    for (const { source } of Object.values(printed.figures))
      expect(source).toMatch(/^(bench|docs)\/|^the document/);
  });

  it.each([
    [[], '--hours-per-day is missing.'],
    [['--hours-per-day', '10'], '--engine is missing: pocketsphinx, sherpa, openai.'],
    [
      ['--hours-per-day', 'many', '--engine', 'sherpa'],
      '--hours-per-day takes a number from 0.1 to 10000000.',
    ],
    [['--hours-per-day', '10', '--engine', 'whisper'], '--engine takes pocketsphinx, sherpa, openai.'],
    [['--hours-per-day', '10', '--engine', 'sherpa'], '--speed is missing: sherpa was not measured.'],
    [
      ['--hours-per-day', '10', '--engine', 'pocketsphinx', '--peak-factor', '0'],
      '--peak-factor takes a number from 1 to 24.',
    ],
  ])('with %j says what is wrong in one line', async (args, message) => {
    const { code, stdout, stderr } = await capacity(...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
