import { describe, expect, it } from 'vitest';
import { isTargetMet } from '../lib/report.mjs';
import { toCostFindings, toDialogueFindings } from './goals.mjs';
import { sumMeasurements } from './measure-recording.mjs';
import { formatRecordingTable } from './recording-table.mjs';

/** Of a minute with 100 words and 50 s of speech. */
function makeMeasurement({
  expected = 2,
  found = expected,
  wrongWords = 0,
  wrongSeconds = 0,
  cpuSeconds = 20,
} = {}) {
  return {
    name: `${expected} voices`,
    duration: 60,
    service: { seconds: 10, cpuSeconds, engineSeconds: 15 },
    bare: { seconds: 14, cpuSeconds: 14 },
    words: { reference: 100, service: wrongWords, bare: 2 },
    found,
    expected,
    speakers: { collar: { scored: 50, wrong: wrongSeconds }, strict: { scored: 50, wrong: 2 } },
  };
}

const listMissedTargets = (rows) =>
  toDialogueFindings(rows)
    .filter((goal) => isTargetMet(goal) === false)
    .map(({ what }) => what);

describe('toDialogueFindings', () => {
  const good = [
    makeMeasurement({ expected: 1 }),
    makeMeasurement(),
    makeMeasurement({ expected: 4, wrongWords: 5, wrongSeconds: 4 }),
  ];

  it('meets all targets with good measurements', () => {
    expect(listMissedTargets(good)).toEqual([]);
  });

  it.each([
    ['word errors over all recordings', { wrongWords: 30 }, /word errors/],
    ['speaker errors of one recording', { wrongSeconds: 6 }, /collar 0.25/],
    ['a voice that is split into two', { expected: 1, found: 2 }, /one voice/],
    ['a missing speaker', { expected: 3, found: 2 }, /right number/],
    ['too much CPU time', { cpuSeconds: 300 }, /CPU time/],
  ])('misses a target with %s', (_, wrong, goal) => {
    expect(listMissedTargets([...good, makeMeasurement(wrong)])).toContainEqual(expect.stringMatching(goal));
  });
});

describe('sums and tables of recordings', () => {
  it('sumMeasurements adds up recordings, without a reference only their times', () => {
    const bare = { ...makeMeasurement(), words: null, speakers: null, expected: null };
    const all = sumMeasurements('all', [makeMeasurement({ wrongWords: 4 }), bare]);
    expect(all).toMatchObject({
      duration: 120,
      words: { reference: 100, service: 4 },
      expected: 2,
      found: 4,
    });
    expect(all.speakers.strict).toEqual({ scored: 50, wrong: 2 });
    expect(sumMeasurements('none', [bare])).toMatchObject({ words: null, expected: null, speakers: null });
  });

  it('formatRecordingTable shows service and bare engine in one cell', () => {
    const line = formatRecordingTable([makeMeasurement({ wrongWords: 4, wrongSeconds: 1 })], 2)
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

  it('toCostFindings reports the utilisation by the engine and the peak memory', () => {
    const lines = toCostFindings([makeMeasurement()], new Map([['api', 3 * 1024 ** 2]]), 2);
    expect(lines.map(({ what, value }) => [what, value])).toEqual([
      ["the engine's share of all cores", 75],
      ['peak memory: api', 3],
    ]);
    expect(toCostFindings([], new Map(), 2)).toEqual([]);
  });
});
