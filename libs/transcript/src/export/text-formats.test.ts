import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryDocument, arbitrarySpeakerName } from '../testing/arbitraries.js';
import { buildDocument, addNamedSpeakers } from '../testing/samples.js';
import { sanitizeToSingleLine } from '../text/sanitize-to-single-line.js';
import { getExporter } from './exporter-registry.js';

const render = async (...[format, document]: Parameters<typeof write>) =>
  (await write(format, document)).toString('utf8');
const write = (format: 'json' | 'txt', document: ReturnType<typeof buildDocument>) =>
  getExporter(format).render(document);

/** Words without what stands between them. */
const compact = (texts: string[]) => texts.join('').replace(/\s/gu, '');

describe('json', () => {
  it('writes the document', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryDocument, async (document) => {
        const text = await render('json', document);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(document)));
        expect(text.indexOf('\n')).toBe(text.length - 1);
      }),
    );
  });
});

describe('txt', () => {
  it('writes one paragraph per utterance of a speaker, with time and speaker', async () => {
    const document = buildDocument([
      { start: 0.4, end: 2, text: 'Good morning.', speaker: 'SPEAKER_1' },
      { start: 2.3, end: 4, text: 'How are you?', speaker: 'SPEAKER_1' },
      { start: 3725.9, text: 'We are done.', speaker: null },
    ]);
    expect(await render('txt', document)).toBe(
      '[00:00:00] SPEAKER_1: Good morning. How are you?\n\n[01:02:05] We are done.\n',
    );
  });

  it('writes speaker names where they are set', async () => {
    const document = buildDocument([
      { text: 'Good morning.', speaker: 'SPEAKER_1' },
      { text: 'Well.', speaker: 'SPEAKER_2' },
    ]);
    await fc.assert(
      fc.asyncProperty(arbitrarySpeakerName, async (name) => {
        const text = (await render('txt', addNamedSpeakers(document, name))).replace('] \u200e', '] ');
        expect(text).toBe(`[00:00:00] ${name}: Good morning.\n\n[00:00:00] SPEAKER_2: Well.\n`);
      }),
    );
  });

  it.each([
    ['שלום, Ada!', '[00:00:00] \u200fSPEAKER_1: שלום, Ada!\n', 'SPEAKER_1'],
    ['שלום.', '[00:00:00] עדה: שלום.\n', 'עדה'],
    ['Hello.', '[00:00:00] \u200eעדה: Hello.\n', 'עדה'],
    ['Hello.', '[00:00:00] Hello.\n', null],
  ])(
    'adds a direction mark to "%s" when its first letter has another direction',
    async (text, line, speaker) => {
      expect(await render('txt', buildDocument([{ text, speaker }]))).toBe(line);
    },
  );

  it('writes an empty file for an empty transcript', async () => {
    expect(await render('txt', buildDocument([]))).toBe('');
  });

  it('writes every word of any text in lines that start with a time', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryDocument, async (document) => {
        const text = await render('txt', document);
        const lines = text === '' ? [] : text.slice(0, -1).split('\n\n');
        const texts = lines.map((line) => {
          expect(line).toMatch(/^\[\d\d:\d\d:\d\d\] [^\n\r]+$/u);
          return line.replace(/^\[[\d:]+\] [\u200e\u200f]?(SPEAKER_\d: )?/, '');
        });
        expect(compact(texts)).toBe(
          compact(document.segments.map((segment) => sanitizeToSingleLine(segment.text))),
        );
      }),
    );
  });
});
