import { readFile, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const SAMPLE_FOLDER = new URL('../../assets/sample/', import.meta.url);
const script = JSON.parse(await readFile(new URL('script.json', SAMPLE_FOLDER), 'utf8'));
const metadata = JSON.parse(await readFile(new URL('dialogue.json', SAMPLE_FOLDER), 'utf8'));

describe('the bundled sample', () => {
  it('contains the lines of its script', () => {
    const listLines = ({ turns }) => turns.map(({ speaker, text }) => `${speaker}: ${text}`);
    expect(listLines(metadata)).toEqual(listLines(script));
  });

  it('has the pauses of its script', () => {
    let expected = script.lead;
    for (const [index, turn] of metadata.turns.entries()) {
      expect(turn.start).toBeCloseTo(expected, 2);
      expect(turn.end).toBeGreaterThan(turn.start);
      expected = turn.end + script.turns[index].pause;
    }
    expect(metadata.duration).toBeCloseTo(expected, 2);
  });

  it('is about a minute in less than 700 KB', async () => {
    expect(metadata.duration).toBeGreaterThan(50);
    expect(metadata.duration).toBeLessThan(70);
    expect((await stat(new URL(metadata.audio, SAMPLE_FOLDER))).size).toBeLessThan(700_000);
  });
});
