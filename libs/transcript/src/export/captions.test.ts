import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TranscriptDocument } from '../transcript-document.js';
import { joinWords } from '../text/join-words.js';
import { sanitizeToSingleLine } from '../text/sanitize-to-single-line.js';
import { arbitraryDocument, arbitrarySpeakerName } from '../testing/arbitraries.js';
import { buildDocument, addNamedSpeakers } from '../testing/samples.js';
import { parseCaptions, type ParsedCaptionCue } from '../testing/parse-captions.js';
import type { CaptionLayout } from './cues/caption-layout.js';
import { computeDisplayWidth } from './cues/cue-token.js';
import { getExporter } from './exporter-registry.js';

/** What an independent parser makes of our file. */
async function judge(
  document: TranscriptDocument,
  type: 'srt' | 'vtt',
  layout?: CaptionLayout,
): Promise<ParsedCaptionCue[]> {
  const file = await getExporter(type).render(document, layout);
  const { cues, errors } = await parseCaptions(file.toString('utf8'), type);
  expect(errors).toEqual([]);
  expect(cues.map(({ id }) => id)).toEqual(cues.map((_, index) => String(index + 1)));
  return cues;
}

/** Undefined: the default. */
const arbitraryLayout = fc.option(
  fc.record({ lineColumns: fc.integer({ min: 10, max: 200 }), maxLines: fc.integer({ min: 1, max: 6 }) }),
  { nil: undefined },
);

const compact = (text: string) => withoutMarks(text).replace(/\s/gu, '');
/** What is invisible: of direction, and what keeps a player from reading text as a position. */
const withoutMarks = (text: string) => text.replace(/[\u200e\u200f\u2060]/gu, '');

describe.each(['srt', 'vtt'] as const)('%s exporter', (type) => {
  it('shows every word of any text', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryDocument, async (document) => {
        const cues = await judge(document, type);
        const seen = compact(cues.map(({ text: shown }) => shown).join('')).replaceAll(
          /(?:SPEAKER_\d|Unknownspeaker):/g,
          '',
        );
        const spoken = document.segments.map(({ text, words }) =>
          words
            ? joinWords(words.map(({ word }) => ({ text: sanitizeToSingleLine(word) })))
            : sanitizeToSingleLine(text),
        );
        expect(seen).toBe(compact(spoken.join('')));
      }),
    );
  });

  it('writes cues that do not overlap, fit into their layout and stay within the duration', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryDocument, arbitraryLayout, async (document, layout) => {
        const { lineColumns, maxLines } = layout ?? { lineColumns: 42, maxLines: 2 };
        const cues = await judge(document, type, layout);
        for (const [index, cue] of cues.entries()) {
          const next = cues[index + 1];
          const seconds = cue.endTime - cue.startTime;
          const free = (next?.startTime ?? document.duration) - cue.startTime;
          expect(seconds).toBeGreaterThan(0);
          expect(seconds).toBeLessThanOrEqual(7.0001);
          if (next) expect(next.startTime).toBeGreaterThanOrEqual(cue.endTime);
          expect(seconds).toBeGreaterThanOrEqual(Math.min(1, free) - 0.0011);
          const lines = withoutMarks(cue.text).split('\n');
          expect(lines.length).toBeLessThanOrEqual(maxLines);
          for (const line of lines) {
            expect(line.trim()).not.toBe('');
            if (line.includes(' ')) expect(computeDisplayWidth(line)).toBeLessThanOrEqual(lineColumns);
          }
        }
      }),
    );
  });

  it('breaks lines within a word that has spaces', async () => {
    const word = {
      word: 'ten thousand\tdollars',
      start: 0,
      end: 5,
      confidence: null,
      speaker: null,
      channel: null,
      language: null,
      estimated: false,
      redacted: null,
    };
    const document = buildDocument([{ start: 0, end: 5, text: word.word, words: [word] }]);
    const [cue, ...others] = await judge(document, type, { lineColumns: 12, maxLines: 2 });
    expect(cue?.text.split('\n')).toEqual(['ten thousand', 'dollars']);
    expect(others).toEqual([]);
  });

  it('fills three narrow lines of similar width', async () => {
    const text = 'Before we begin, a word about the recording of today.';
    const layout = { lineColumns: 20, maxLines: 3 };
    const [cue, ...others] = await judge(buildDocument([{ start: 0, end: 5, text }]), type, layout);
    expect(cue?.text.split('\n')).toEqual(['Before we begin,', 'a word about the', 'recording of today.']);
    expect(others).toEqual([]);
  });

  it('writes a valid file for an empty transcript', async () => {
    expect(await judge(buildDocument([]), type)).toEqual([]);
  });
});

describe('speakers in subtitles', () => {
  it('are left out of srt where a line has no room for them beside the first word', async () => {
    const document = buildDocument([{ start: 0, end: 2, text: 'Congratulations!', speaker: 'SPEAKER_1' }]);
    const [cue, ...others] = await judge(document, 'srt', { lineColumns: 20, maxLines: 1 });
    expect([cue?.text, others]).toEqual(['Congratulations!', []]);
  });

  const document = buildDocument([
    { start: 0, end: 2, text: 'Good morning.', speaker: 'SPEAKER_1' },
    { start: 4, end: 6, text: 'How are you?', speaker: 'SPEAKER_1' },
    { start: 6, end: 8, text: 'Well.', speaker: 'SPEAKER_2' },
  ]);

  it('are voice spans in vtt', async () => {
    const cues = await judge(document, 'vtt');
    expect(cues.map(({ voice }) => voice)).toEqual(['SPEAKER_1', 'SPEAKER_1', 'SPEAKER_2']);
  });

  it('are written at each change of speaker in srt', async () => {
    const cues = await judge(document, 'srt');
    expect(cues.map(({ text: shown }) => shown)).toEqual([
      'SPEAKER_1: Good morning.',
      'How are you?',
      'SPEAKER_2: Well.',
    ]);
  });
});

describe('speaker names in subtitles', () => {
  const spoken = buildDocument([
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
  ])('are voice spans in vtt: %s', async (name) => {
    const cues = await judge(addNamedSpeakers(spoken, name), 'vtt');
    expect(cues.map(({ voice }) => voice)).toEqual([name, 'SPEAKER_2', name]);
    expect(cues.map(({ text: shown }) => shown)).toEqual(['Good morning.', 'Well, hello.', 'Bye.']);
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
  ])('are written at each change of speaker in srt, on at most one line: %s', async (name, label) => {
    const cues = await judge(addNamedSpeakers(spoken, name), 'srt');
    const parted = computeDisplayWidth(`${label} Good morning.`) > 42 ? '\n' : ' ';
    expect(withoutMarks(cues[0]?.text ?? '')).toBe(`${label}${parted}Good morning.`);
    expect(cues[0]?.endTime).toBeGreaterThan(1);
    expect(cues[1]?.text).toBe('SPEAKER_2: Well, hello.');
  });

  it('that are equal count as one speaker', async () => {
    const cues = await judge(addNamedSpeakers(spoken, 'Ada', 'Ada'), 'srt');
    expect(cues.map(({ text: shown }) => shown).join(' ')).toBe('Ada: Good morning. Well, hello. Bye.');
  });

  it('keep files valid and the text of vtt unchanged, whatever they are', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryDocument, arbitrarySpeakerName, async (document, name) => {
        const other = `${name.slice(0, 40)}2`;
        const before = await judge(document, 'vtt');
        const after = await judge(addNamedSpeakers(document, name, other), 'vtt');
        expect(after.map(({ text: shown }) => shown)).toEqual(before.map(({ text: shown }) => shown));
        for (const { text: shown } of await judge(addNamedSpeakers(document, name, other), 'srt'))
          expect(shown.split('\n').length).toBeLessThanOrEqual(2);
      }),
    );
  });
});

describe('the direction of subtitle lines', () => {
  const linesOf = async (
    type: 'srt' | 'vtt',
    text: string,
    language: string | null,
    name: string | null = null,
  ) => {
    const spoken = buildDocument([{ start: 0, end: 3, text, language, speaker: name && 'SPEAKER_1' }]);
    const cues = await judge(name === null ? spoken : addNamedSpeakers(spoken, name), type);
    return cues.flatMap(({ text: shown }) => shown.split('\n'));
  };

  it.each(['srt', 'vtt'] as const)('is marked on both sides when it is right to left: %s', async (type) => {
    expect(await linesOf(type, 'WebVTT הוא הפורמט שבו אנחנו משתמשים, לכתוביות.', 'he')).toEqual([
      '\u200fWebVTT הוא הפורמט שבו\u200f',
      '\u200fאנחנו משתמשים, לכתוביות.\u200f',
    ]);
    expect(await linesOf(type, 'The word שלום.', 'en')).toEqual(['The word שלום.']);
  });

  it('follows the spoken words, not the speaker name before them', async () => {
    expect(await linesOf('srt', 'Yes.', 'en', 'רות כהן')).toEqual(['\u200eרות כהן: Yes.']);
    expect(await linesOf('srt', 'כן.', 'he', 'Ada')).toEqual(['\u200fAda: כן.\u200f']);
  });
});

describe('computeDisplayWidth', () => {
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
  ])('of %s is %i', (text, expected) => {
    expect(computeDisplayWidth(text)).toBe(expected);
  });
});

describe('text that a player could parse as markup', () => {
  const text = 'a --> b <i>c</i> AT&T &lt; {\\an8}d';
  const written = async (type: 'srt' | 'vtt') => {
    const file = await getExporter(type).render(buildDocument([{ start: 0, end: 3, text }]));
    return file.toString('utf8').split('\n').at(-2);
  };

  it('is escaped in srt, except for a lone ampersand', async () => {
    expect(await written('srt')).toBe('a --&gt; b &lt;i&gt;c&lt;/i&gt; AT&T &amp;lt; {\u2060\\an8}d');
  });

  it('is escaped in vtt', async () => {
    expect(await written('vtt')).toBe('a --&gt; b &lt;i&gt;c&lt;/i&gt; AT&amp;T &amp;lt; {\\an8}d');
  });
});
