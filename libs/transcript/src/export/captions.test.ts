import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TranscriptDocument } from '../document.js';
import { joinWords } from '../text/join.js';
import { cleanText } from '../text/clean.js';
import { anyDocument, anyName } from '../testing/arbitraries.js';
import { documentOf, named } from '../testing/samples.js';
import { judgeCaptions, type ShownCue } from '../testing/caption-judge.js';
import { columns } from './cues/piece.js';
import { exporterFor } from './registry.js';

/** What an independent parser makes of our file. */
async function judge(document: TranscriptDocument, type: 'srt' | 'vtt'): Promise<ShownCue[]> {
  const file = await exporterFor(type).render(document);
  const { cues, errors } = await judgeCaptions(file.toString('utf8'), type);
  expect(errors).toEqual([]);
  expect(cues.map(({ id }) => id)).toEqual(cues.map((_, index) => String(index + 1)));
  return cues;
}

const compact = (text: string) => withoutMarks(text).replace(/\s/gu, '');
/** What is invisible: of direction, and what keeps a player from reading text as a position. */
const withoutMarks = (text: string) => text.replace(/[\u200e\u200f\u2060]/gu, '');

describe.each(['srt', 'vtt'] as const)('%s', (type) => {
  it('shows the same words, whatever they are', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        const cues = await judge(document, type);
        const seen = compact(cues.map(({ shown }) => shown).join('')).replaceAll(/SPEAKER_\d:/g, '');
        const spoken = document.segments.map(({ text, words }) =>
          words ? joinWords(words.map(({ word }) => cleanText(word))) : cleanText(text),
        );
        expect(seen).toBe(compact(spoken.join('')));
      }),
    );
  });

  it('never overlaps, holds two lines of 42 columns and stays in time', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        const cues = await judge(document, type);
        for (const [index, cue] of cues.entries()) {
          const next = cues[index + 1];
          const seconds = cue.endTime - cue.startTime;
          const free = (next?.startTime ?? document.duration) - cue.startTime;
          expect(seconds).toBeGreaterThan(0);
          expect(seconds).toBeLessThanOrEqual(7.0001);
          if (next) expect(next.startTime).toBeGreaterThanOrEqual(cue.endTime);
          expect(seconds).toBeGreaterThanOrEqual(Math.min(1, free) - 0.0011);
          const lines = withoutMarks(cue.shown).split('\n');
          expect(lines.length).toBeLessThanOrEqual(2);
          for (const line of lines) {
            expect(line.trim()).not.toBe('');
            if (line.includes(' ')) expect(columns(line)).toBeLessThanOrEqual(42);
          }
        }
      }),
    );
  });

  it('is valid when nothing was said', async () => {
    expect(await judge(documentOf([]), type)).toEqual([]);
  });
});

describe('speakers', () => {
  const document = documentOf([
    { start: 0, end: 2, text: 'Good morning.', speaker: 'SPEAKER_1' },
    { start: 4, end: 6, text: 'How are you?', speaker: 'SPEAKER_1' },
    { start: 6, end: 8, text: 'Well.', speaker: 'SPEAKER_2' },
  ]);

  it('are voices in vtt', async () => {
    const cues = await judge(document, 'vtt');
    expect(cues.map(({ voice }) => voice)).toEqual(['SPEAKER_1', 'SPEAKER_1', 'SPEAKER_2']);
  });

  it('are written where they change in srt', async () => {
    const cues = await judge(document, 'srt');
    expect(cues.map(({ shown }) => shown)).toEqual([
      'SPEAKER_1: Good morning.',
      'How are you?',
      'SPEAKER_2: Well.',
    ]);
  });
});

describe('names of speakers', () => {
  const spoken = documentOf([
    { start: 0, end: 2, text: 'Good morning.', speaker: 'SPEAKER_1' },
    { start: 2, end: 4, text: 'Well, hello.', speaker: 'SPEAKER_2' },
    { start: 4, end: 6, text: 'Bye.', speaker: 'SPEAKER_1' },
  ]);

  it.each([
    'Ada',
    '<b>',
    '-->',
    '</v><i>',
    'AT&T &lt;',
    'עדה לבלייס',
    '{\\an8}',
    '李'.repeat(80),
    'x'.repeat(80),
  ])('are voices in vtt: %s', async (name) => {
    const cues = await judge(named(spoken, name), 'vtt');
    expect(cues.map(({ voice }) => voice)).toEqual([name, 'SPEAKER_2', name]);
    expect(cues.map(({ shown }) => shown)).toEqual(['Good morning.', 'Well, hello.', 'Bye.']);
  });

  it.each([
    ['Ada', 'Ada:'],
    ['<b>', '<b>:'],
    ['-->', '-->:'],
    ['&lt;', '&lt;:'],
    ['עדה לבלייס', 'עדה לבלייס:'],
    ['x'.repeat(41), `${'x'.repeat(41)}:`],
    ['x'.repeat(80), `${'x'.repeat(40)}…:`],
    ['李'.repeat(80), `${'李'.repeat(20)}…:`],
    ['👩‍👩‍👧'.repeat(16), `${'👩‍👩‍👧'.repeat(6)}…:`],
  ])('are written where the voice changes in srt, on a line at most: %s', async (name, label) => {
    const cues = await judge(named(spoken, name), 'srt');
    const parted = columns(`${label} Good morning.`) > 42 ? '\n' : ' ';
    expect(withoutMarks(cues[0]?.shown ?? '')).toBe(`${label}${parted}Good morning.`);
    expect(cues[0]?.endTime).toBeGreaterThan(1);
    expect(cues[1]?.shown).toBe('SPEAKER_2: Well, hello.');
  });

  it('that are the same are one voice', async () => {
    const cues = await judge(named(spoken, 'Ada', 'Ada'), 'srt');
    expect(cues.map(({ shown }) => shown).join(' ')).toBe('Ada: Good morning. Well, hello. Bye.');
  });

  it('leave files valid and the words of vtt alone, whatever they are', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, anyName, async (document, name) => {
        const other = `${name.slice(0, 40)}2`;
        const before = await judge(document, 'vtt');
        const after = await judge(named(document, name, other), 'vtt');
        expect(after.map(({ shown }) => shown)).toEqual(before.map(({ shown }) => shown));
        for (const { shown } of await judge(named(document, name, other), 'srt'))
          expect(shown.split('\n').length).toBeLessThanOrEqual(2);
      }),
    );
  });
});

describe('the direction of lines', () => {
  const linesOf = async (
    type: 'srt' | 'vtt',
    text: string,
    language: string | null,
    name: string | null = null,
  ) => {
    const spoken = documentOf([{ start: 0, end: 3, text, language, speaker: name && 'SPEAKER_1' }]);
    const cues = await judge(name === null ? spoken : named(spoken, name), type);
    return cues.flatMap(({ shown }) => shown.split('\n'));
  };

  it.each(['srt', 'vtt'] as const)(
    'is marked on both sides where it is from right to left: %s',
    async (type) => {
      expect(await linesOf(type, 'WebVTT הוא הפורמט שבו אנחנו משתמשים, לכתוביות.', 'he')).toEqual([
        '\u200fWebVTT הוא הפורמט שבו\u200f',
        '\u200fאנחנו משתמשים, לכתוביות.\u200f',
      ]);
      expect(await linesOf(type, 'The word שלום.', 'en')).toEqual(['The word שלום.']);
    },
  );

  it('is that of the words, not of the name before them', async () => {
    expect(await linesOf('srt', 'Yes.', 'en', 'רות כהן')).toEqual(['\u200eרות כהן: Yes.']);
    expect(await linesOf('srt', 'כן.', 'he', 'Ada')).toEqual(['\u200fAda: כן.\u200f']);
  });
});

describe('columns', () => {
  it.each([
    ['abc', 3],
    ['你好', 4],
    ['안녕', 4],
    ['ｶﾅ', 2],
    ['한', 2],
    ['שָׁלוֹם', 4],
    ['नमस्ते', 4],
    ['e\u0301', 1],
    ['a\u200db', 2],
  ])('of %s are %i', (text, expected) => {
    expect(columns(text)).toBe(expected);
  });
});

describe('what a player could take for markup', () => {
  const text = 'a --> b <i>c</i> AT&T &lt; {\\an8}d';
  const written = async (type: 'srt' | 'vtt') => {
    const file = await exporterFor(type).render(documentOf([{ start: 0, end: 3, text }]));
    return file.toString('utf8').split('\n').at(-2);
  };

  it('is escaped in srt, where a lone ampersand stays as it is', async () => {
    expect(await written('srt')).toBe('a --&gt; b &lt;i&gt;c&lt;/i&gt; AT&T &amp;lt; {\u2060\\an8}d');
  });

  it('is escaped in vtt', async () => {
    expect(await written('vtt')).toBe('a --&gt; b &lt;i&gt;c&lt;/i&gt; AT&amp;T &amp;lt; {\\an8}d');
  });
});
