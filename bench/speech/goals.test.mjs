import { describe, expect, it } from 'vitest';
import { isTargetMet } from '../lib/report.mjs';
import { toCostFindings, toDialogueFindings } from './goals.mjs';
import { sumMeasurements } from './measure-recording.mjs';
import { formatRecordingTable } from './recording-table.mjs';

/** A minute, 100 words and 50 s of speech, in which so much went wrong. */
function measured({ told = 2, found = told, wrongWords = 0, wrongSeconds = 0, cpuSeconds = 20 } = {}) {
  return {
    name: `${told} voices`,
    duration: 60,
    service: { seconds: 10, cpuSeconds, engineSeconds: 15 },
    bare: { seconds: 14, cpuSeconds: 14 },
    words: { said: 100, service: wrongWords, bare: 2 },
    found,
    told,
    speakers: { collar: { scored: 50, wrong: wrongSeconds }, strict: { scored: 50, wrong: 2 } },
  };
}

const notMet = (rows) =>
  toDialogueFindings(rows)
    .filter((goal) => isTargetMet(goal) === false)
    .map(({ what }) => what);

describe('the goals of dialogues', () => {
  const good = [measured({ told: 1 }), measured(), measured({ told: 4, wrongWords: 5, wrongSeconds: 4 })];

  it('are met by what keeps all of them', () => {
    expect(notMet(good)).toEqual([]);
  });

  it.each([
    ['word errors over all recordings', { wrongWords: 30 }, /word errors/],
    ['speaker errors of one recording', { wrongSeconds: 6 }, /collar 0.25/],
    ['a voice that falls apart', { told: 1, found: 2 }, /one voice/],
    ['a speaker too few', { told: 3, found: 2 }, /right number/],
    ['too much work', { cpuSeconds: 300 }, /processor time/],
  ])('are missed by %s', (_, wrong, goal) => {
    expect(notMet([...good, measured(wrong)])).toContainEqual(expect.stringMatching(goal));
  });
});

describe('several recordings', () => {
  it('are added up, those without a reference by their times alone', () => {
    const bare = { ...measured(), words: null, speakers: null, told: null };
    const all = sumMeasurements('all', [measured({ wrongWords: 4 }), bare]);
    expect(all).toMatchObject({ duration: 120, words: { said: 100, service: 4 }, told: 2, found: 4 });
    expect(all.speakers.strict).toEqual({ scored: 50, wrong: 2 });
    expect(sumMeasurements('none', [bare])).toMatchObject({ words: null, told: null, speakers: null });
  });

  it('are lines of a table, both sides in a cell', () => {
    const line = formatRecordingTable([measured({ wrongWords: 4, wrongSeconds: 1 })], 2)
      .split('\n')
      .at(-1);
    expect(line.split('|').map((cell) => cell.trim())).toEqual([
      '',
      '2 voices',
      '60 s',
      '4.0 %, 2.0 %',
      '2 of 2',
      '2.0 %',
      '4.0 %',
      '0.17, 0.23',
      '75 %',
      '',
    ]);
  });

  it('cost what the engine had of the cores, and memory', () => {
    const lines = toCostFindings([measured()], new Map([['api', 3 * 1024 ** 2]]), 2);
    expect(lines.map(({ what, value }) => [what, value])).toEqual([
      ["the engine's share of all cores", 75],
      ['peak memory: api', 3],
    ]);
    expect(toCostFindings([], new Map(), 2)).toEqual([]);
  });
});
