import { describe, expect, it } from 'vitest';
import { wordsFromLine } from '../../testing/samples.js';
import { buildDocument } from '../../testing/samples.js';
import { buildCues } from './build-cues.js';

function cuesOf(line: string, withWords = true) {
  const words = wordsFromLine(line).map(({ text, start, end }) => ({
    word: text,
    start,
    end,
    confidence: null,
    speaker: null,
    language: null,
    estimated: false,
    redacted: null,
    channel: null,
  }));
  const text = words.map(({ word }) => word).join(' ');
  const segment = { start: 0, end: words.at(-1)?.end ?? 0, text, words: withWords ? words : null };
  return buildCues(buildDocument([segment]), { hasSpeakerLabels: false });
}
const linesOf = (line: string) => cuesOf(line).map(({ lines }) => lines);

describe('buildCues', () => {
  it('keeps a short sentence on one line', () => {
    expect(linesOf('Good morning, everyone.')).toEqual([['Good morning, everyone.']]);
  });

  it('breaks lines and cues at phrases', () => {
    const [first] = linesOf('We looked at the plans all week, and then we went home.');
    expect(first).toEqual(['We looked at the plans all week,', 'and then we went home.']);
    expect(
      linesOf(
        'It was a bright cold day in April, and the clocks were striking thirteen. He slipped quickly through the glass doors of the house.',
      ),
    ).toEqual([
      ['It was a bright cold day in April,', 'and the clocks were striking thirteen.'],
      ['He slipped quickly', 'through the glass doors of the house.'],
    ]);
  });

  it('distributes the time of a segment by characters when it has no words', () => {
    const line = `${'abcd '.repeat(20)}end.`;
    const cues = cuesOf(line, false);
    expect(cues.length).toBeGreaterThan(1);
    expect(cues[0]?.start).toBe(0);
    const perCharacter = (cues[1]?.start ?? 0) / (cues[0]?.lines.join('').replaceAll(' ', '').length ?? 1);
    expect(perCharacter).toBeCloseTo((wordsFromLine(line).at(-1)?.end ?? 0) * (1000 / 84), -0.5);
  });

  it('shows every cue for at least a second and a little after its last word', () => {
    expect(cuesOf('Yes.')).toMatchObject([{ start: 0, end: 1000 }]);
    expect(cuesOf('I do not think so.')).toMatchObject([{ start: 0, end: 1700 + 400 }]);
  });

  it('joins sentences that are too short to stand alone', () => {
    const segment = (start: number, end: number, text: string) => ({ start, end, text });
    const close = [segment(0, 0.3, 'No.'), segment(0.4, 2, 'Not today.')];
    expect(buildCues(buildDocument(close), { hasSpeakerLabels: false }).map(({ lines }) => lines)).toEqual([
      ['No. Not today.'],
    ]);
    const apart = [segment(0, 1.5, 'Not yet.'), segment(2.5, 4, 'Not today.')];
    expect(buildCues(buildDocument(apart), { hasSpeakerLabels: false })).toHaveLength(2);
  });

  it('breaks lines in scripts without spaces', () => {
    const text = '今天我们讨论语音识别系统的可靠性问题以及如何处理失败的任务和重复的消息。';
    const cues = buildCues(buildDocument([{ start: 0, end: 6, text }]), { hasSpeakerLabels: false });
    const lines = cues.flatMap((cue) => cue.lines);
    expect(lines.join('')).toBe(text);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(21);
  });

  it('ends no line with an opening bracket', () => {
    const text = '今天我们讨论语音识别系统的可靠性问题（包括失败的任务）以及“重复的消息”如何处理，谢谢大家！';
    for (let lineColumns = 10; lineColumns <= 42; lineColumns += 2) {
      const cues = buildCues(buildDocument([{ start: 0, end: 9, text }]), {
        hasSpeakerLabels: false,
        layout: { lineColumns, maxLines: 2 },
      });
      const lines = cues.flatMap((cue) => cue.lines);
      expect(lines.join('')).toBe(text);
      for (const line of lines) expect(line).not.toMatch(/[\p{Ps}\p{Pi}]$|^[\p{Pe}\p{Pf}，。！ー]/u);
    }
  });

  it('gives every word without duration its own cue time', () => {
    const segments = Array.from({ length: 5 }, (_, index) => ({
      start: 2,
      end: 2,
      text: `x${index}`,
      speaker: `SPEAKER_${index + 1}`,
    }));
    const cues = buildCues(buildDocument(segments, 2), { hasSpeakerLabels: false });
    expect(cues.map(({ start, end }) => [start, end])).toEqual(
      [0, 1, 2, 3, 4].map((at) => [2000 + at, 2001 + at]),
    );
  });

  it('formats times above 99 hours', () => {
    expect(
      buildCues(buildDocument([{ start: 400_000, end: 400_001, text: 'x' }], 400_002), {
        hasSpeakerLabels: false,
      }),
    ).toHaveLength(1);
  });
});

describe('cues of people who talk at once on different channels', () => {
  const say = (speaker: string, start: number, text: string) => {
    const words = text.split(' ').map((word, index) => ({
      ...{ word, start: start + index * 0.35, end: start + index * 0.35 + 0.3 },
      ...{ confidence: null, speaker, language: null, estimated: false, redacted: null, channel: null },
    }));
    return { start, end: words.at(-1)?.end ?? start, text, speaker, words };
  };
  const shown = (...segments: ReturnType<typeof say>[]) =>
    buildCues(buildDocument(segments, 60), { hasSpeakerLabels: false }).map(({ start, end, lines }) => ({
      text: lines.join(' '),
      ...{ start, end, length: end - start },
    }));
  const LONG = 'I think we should really talk about the new plan again on Monday.';

  it.each([1, 1.1, 2, 4])('a brief remark from %d s on waits for the sentence of the other one', (at) => {
    const [sentence, remark] = shown(say('SPEAKER_1', 1, LONG), say('SPEAKER_2', at, 'Mhm.'));
    expect(sentence).toMatchObject({ text: LONG, start: 1000 });
    expect(sentence?.end).toBeGreaterThanOrEqual(4500);
    expect(remark?.text).toBe('Mhm.');
    expect(remark?.length).toBeGreaterThanOrEqual(1000);
  });

  it('each of several remarks is shown for a second', () => {
    const cues = shown(
      say('SPEAKER_1', 1, LONG),
      say('SPEAKER_2', 1.2, 'Mhm.'),
      say('SPEAKER_2', 3.4, 'Right.'),
      say('SPEAKER_1', 6.5, LONG),
    );
    expect(cues.map(({ text }) => text)).toEqual([LONG, 'Mhm.', 'Right.', LONG]);
    for (const { length } of cues) expect(length).toBeGreaterThanOrEqual(1000);
  });

  it('a remark that had to wait is shown for half a second before one of more than a second', () => {
    const [sentence, remark, question] = buildCues(
      buildDocument(
        [
          say('SPEAKER_1', 0, 'I would like to cancel the contract that I signed last month please.'),
          say('SPEAKER_2', 2.4, 'Yes, I see.'),
          say('SPEAKER_2', 4.4, 'And the number is?'),
        ],
        60,
      ),
      { hasSpeakerLabels: true },
    );
    expect([sentence, remark, question].map((cue) => cue?.lines.join(' '))).toEqual([
      'SPEAKER_1: I would like to cancel the contract that I signed last month please.',
      'SPEAKER_2: Yes, I see.',
      'And the number is?',
    ]);
    for (const cue of [remark, question])
      expect((cue?.end ?? 0) - (cue?.start ?? 0)).toBeGreaterThanOrEqual(500);
  });

  it('no cue that waits is shown for less than half a second before a free minute', () => {
    for (let first = 0; first < 60; first += 1)
      for (let second = first + 12; second < 100; second += 1) {
        const cues = shown(
          say('SPEAKER_1', 0, LONG),
          say('SPEAKER_2', first / 10, 'Yes, I see.'),
          say('SPEAKER_2', second / 10, 'And the number is?'),
        );
        for (const { length, text } of cues)
          expect(length, `${text} of ${first} and ${second}`).toBeGreaterThanOrEqual(500);
      }
  });

  it('two long sentences share the time', () => {
    const [first, second] = shown(say('SPEAKER_1', 1, LONG), say('SPEAKER_2', 1.2, LONG.toUpperCase()));
    expect(first?.length).toBeGreaterThan(2000);
    expect(second?.length).toBeGreaterThan(2000);
  });
});
