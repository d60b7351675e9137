import { readFile, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const SAMPLE = new URL('../../assets/sample/', import.meta.url);
const script = JSON.parse(await readFile(new URL('script.json', SAMPLE), 'utf8'));
const sheet = JSON.parse(await readFile(new URL('dialogue.json', SAMPLE), 'utf8'));

describe('the bundled sample', () => {
  it('says its script', () => {
    const lines = ({ turns }) => turns.map(({ speaker, text }) => `${speaker}: ${text}`);
    expect(lines(sheet)).toEqual(lines(script));
  });

  it('has the pauses of its script', () => {
    let expected = script.lead;
    for (const [index, turn] of sheet.turns.entries()) {
      expect(turn.start).toBeCloseTo(expected, 2);
      expect(turn.end).toBeGreaterThan(turn.start);
      expected = turn.end + script.turns[index].pause;
    }
    expect(sheet.duration).toBeCloseTo(expected, 2);
  });

  it('is about a minute in less than 700 KB', async () => {
    expect(sheet.duration).toBeGreaterThan(50);
    expect(sheet.duration).toBeLessThan(70);
    expect((await stat(new URL(sheet.audio, SAMPLE))).size).toBeLessThan(700_000);
  });
});
