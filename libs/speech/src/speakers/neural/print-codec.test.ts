import { describe, expect, it } from 'vitest';
import { comparable } from '../kind.js';
import { VoicesInvalid } from '../window-codec.js';
import { decodePrints, encodePrints } from './print-codec.js';
import { type DescribedVoices, direction } from './voice-print.js';

const described: DescribedVoices = {
  model: 'some-voices_v1.0',
  alike: 0.55,
  voices: [
    {
      turns: [
        { start: 0.12, end: 3.457 },
        { start: 8, end: 31.25 },
      ],
      print: direction([3, -4, 0.5, 12]),
    },
    { turns: [{ start: 4, end: 4.1 }], print: null },
  ],
};

describe('the text that is kept of prints', () => {
  it('gives back what was put in, to the precision of its steps', () => {
    const read = decodePrints(encodePrints(described));
    expect(read).toMatchObject({ model: 'some-voices_v1.0', alike: 0.55 });
    expect(read.voices.map(({ turns }) => turns)).toEqual(described.voices.map(({ turns }) => turns));
    expect(read.voices[1]?.print).toBeNull();
    for (const [at, value] of (described.voices[0]?.print ?? []).entries())
      expect(read.voices[0]?.print?.[at]).toBeCloseTo(value, 4);
  });

  it('stays small', () => {
    const print = direction(Array.from({ length: 512 }, (_, at) => Math.sin(at)));
    const turns = [{ start: 0, end: 10 }];
    const chunk = { ...described, voices: [1, 2, 3].map(() => ({ turns, print })) };
    expect(encodePrints(chunk).length).toBeLessThan(4_500);
  });

  const whole = encodePrints(described);
  it.each([
    ['nothing', ''],
    ['another version', whole.replace('n1', 'n9')],
    ['a piece', whole.slice(0, -7)],
    ['no voices', 'n1:model:{"alike":0.5}'],
    ['null', 'n1:model:null'],
    ['a turn that ends before it begins', whole.replace('[120,3457]', '[3457,120]')],
    ['a turn that is none', whole.replace('[120,3457]', '[120]')],
    ['a print that is no base64', whole.replace(/"print":"[^"]+"/, '"print":"***"')],
    ['a print of no length', whole.replace(/"print":"[^"]+"/, '"print":"AAAA"')],
    ['prints of two sizes', whole.replace('"print":null', '"print":"AQABAA=="')],
  ])('refuses %s', (_, text) => {
    expect(() => decodePrints(text)).toThrow(VoicesInvalid);
  });
});

describe('comparable', () => {
  const by = (model: string) => ({ start: 0, voices: encodePrints({ ...described, model }) });
  const classical = { start: 0, voices: 'v2:AAAA' };

  it('keeps the chunks that were described like most', () => {
    expect(comparable([by('a'), classical, by('a'), by('b')])).toEqual([by('a'), by('a')]);
    expect(comparable([by('a'), classical, classical])).toEqual([classical, classical]);
    expect(comparable([])).toEqual([]);
  });
});
