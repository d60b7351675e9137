import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyDocument, anyName } from '../testing/arbitraries.js';
import { documentOf, named } from '../testing/samples.js';
import { cleanText } from '../text/clean.js';
import { exporterFor } from './registry.js';

const render = async (...[format, document]: Parameters<typeof write>) =>
  (await write(format, document)).toString('utf8');
const write = (format: 'json' | 'txt', document: ReturnType<typeof documentOf>) =>
  exporterFor(format).render(document);

describe('json', () => {
  it('is the document', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        const text = await render('json', document);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(document)));
        expect(text.indexOf('\n')).toBe(text.length - 1);
      }),
    );
  });
});

describe('txt', () => {
  it('is a paragraph a segment, with times and speakers', async () => {
    const document = documentOf([
      { start: 0.4, text: 'Good morning.', speaker: 'SPEAKER_1' },
      { start: 3725.9, text: 'We are done.', speaker: null },
    ]);
    expect(await render('txt', document)).toBe(
      '[00:00:00] SPEAKER_1: Good morning.\n\n[01:02:05] We are done.\n',
    );
  });

  it('shows the names of speakers that have one', async () => {
    const document = documentOf([
      { text: 'Good morning.', speaker: 'SPEAKER_1' },
      { text: 'Well.', speaker: 'SPEAKER_2' },
    ]);
    await fc.assert(
      fc.asyncProperty(anyName, async (name) => {
        expect(await render('txt', named(document, name))).toBe(
          `[00:00:00] ${name}: Good morning.\n\n[00:00:00] SPEAKER_2: Well.\n`,
        );
      }),
    );
  });

  it('is empty when nothing was said', async () => {
    expect(await render('txt', documentOf([]))).toBe('');
  });

  it('has one line a segment whatever the text is', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        const text = await render('txt', document);
        const lines = text === '' ? [] : text.slice(0, -1).split('\n\n');
        expect(lines.map((line) => line.replace(/^\[\d\d:\d\d:\d\d\] ?(SPEAKER_\d: ?)?/, ''))).toEqual(
          document.segments.map((segment) => cleanText(segment.text)),
        );
      }),
    );
  });
});
