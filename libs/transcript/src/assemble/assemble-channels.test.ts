import { describe, expect, it } from 'vitest';
import { buildAssemblyInput, buildChunk, wordsFromLine } from '../testing/samples.js';
import { assembleTranscript } from './assemble-transcript.js';

describe('assembleTranscript of two channels', () => {
  it('keeps sentences of two channels whole, in order of their start, with speakers of their own', () => {
    const left = buildChunk(wordsFromLine('good morning everybody and welcome to this call'), { channel: 1 });
    const right = buildChunk(wordsFromLine('(0.5) yes (0.6) i am here'), { index: 1, channel: 2 });
    const turns = [
      { speaker: 0, channel: 1, start: 0, end: 4 },
      { speaker: 0, channel: 2, start: 0.5, end: 4 },
    ];
    const document = assembleTranscript(
      buildAssemblyInput([right, left], { turns, options: { speaker_labels: true } }),
    );
    expect(document.segments.map(({ channel, speaker, text }) => [channel, speaker, text])).toEqual([
      [1, 'SPEAKER_1', 'Good morning everybody and welcome to this call.'],
      [2, 'SPEAKER_2', 'Yes.'],
      [2, 'SPEAKER_2', 'I am here.'],
    ]);
    expect(document.segments[0]?.end).toBeGreaterThan(document.segments[1]?.start ?? Infinity);
    expect(document.segments.flatMap(({ words }) => words ?? []).map(({ channel }) => channel)).toEqual([
      ...Array.from({ length: 8 }, () => 1),
      ...Array.from({ length: 4 }, () => 2),
    ]);
    expect(document.speakers).toMatchObject([{ channel: 1 }, { channel: 2 }]);
    const unlabelled = assembleTranscript(buildAssemblyInput([right, left]));
    expect(unlabelled.paragraphs.map(({ text }) => text)).toHaveLength(2);
  });

  it('redacts a number that one channel speaks while the other one speaks, too', () => {
    const caller = wordsFromLine('my number is 555 123 4567 thank you');
    const agent = wordsFromLine('(1.0) yes (0.8) go on 555 (0.8) good');
    const document = assembleTranscript(
      buildAssemblyInput([buildChunk(caller, { channel: 1 }), buildChunk(agent, { index: 1, channel: 2 })], {
        turns: [
          { speaker: 0, channel: 1, start: 0, end: 5 },
          { speaker: 0, channel: 2, start: 1, end: 6 },
        ],
        options: { speaker_labels: true, redact: ['phone'] },
      }),
    );
    const textOf = (channel: number) =>
      document.segments
        .filter((segment) => segment.channel === channel)
        .map(({ text }) => text)
        .join(' ');
    expect(textOf(1)).toBe('My number is [phone], thank you.');
    expect(textOf(2)).toContain('555');
    const redacted = document.segments.flatMap(({ words }) => words ?? []).filter((word) => word.redacted);
    expect(redacted).toMatchObject([
      { word: '[phone],', redacted: 'phone', channel: 1, speaker: 'SPEAKER_1' },
    ]);
    expect(JSON.stringify({ turns: document.turns, paragraphs: document.paragraphs })).not.toContain('4567');
  });
});
