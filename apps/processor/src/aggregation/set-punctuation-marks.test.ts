import { AuxiliaryModelError, type PunctuationMarkPredictor } from '@app/speech';
import type { TimelineWord } from '@app/transcript';
import { describe, expect, it, vi } from 'vitest';
import { addPredictedPunctuation } from './set-punctuation-marks.js';

const words = () => [word('hello', 'en'), word('oui', 'fr'), word('there', 'en')];

const neverAborted = new AbortController().signal;
const REQUESTED = { nltk: true };
const UNPUNCTUATED = { punctuation: false };
const failing = { predictMarks: () => Promise.reject(new AuxiliaryModelError('tiny')) };

describe('addPunctuation', () => {
  it('sets the marks of the model on the words, after one call with all words', async () => {
    const marks = vi.fn<PunctuationMarkPredictor['predictMarks']>().mockResolvedValue([',', undefined, null]);
    const marked = words();
    expect(
      await addPredictedPunctuation(
        [{ words: marked }],
        { predictMarks: marks },
        REQUESTED,
        UNPUNCTUATED,
        neverAborted,
      ),
    ).toEqual([]);
    expect(marked.map(({ mark }) => mark)).toEqual([',', undefined, null]);
    expect(marks.mock.calls[0]?.[0]).toBe(marked);
  });

  it('leaves the words unchanged and adds a warning when the model fails', async () => {
    const marked = words();
    expect(
      await addPredictedPunctuation([{ words: marked }], failing, REQUESTED, UNPUNCTUATED, neverAborted),
    ).toMatchObject([{ code: 'punctuation_unavailable', segment_id: null }]);
    expect(marked).toEqual(words());
  });

  it('rejects with the abort reason and adds no warning when the stage is aborted', async () => {
    const stop = new AbortController();
    const marks = (_: unknown, signal: AbortSignal) =>
      new Promise<never>((_end, reject) =>
        signal.addEventListener('abort', () => reject(new AuxiliaryModelError('closed'))),
      );
    const marking = addPredictedPunctuation(
      [{ words: words() }],
      { predictMarks: marks },
      REQUESTED,
      UNPUNCTUATED,
      stop.signal,
    );
    stop.abort(new RangeError('stopped'));
    await expect(marking).rejects.toThrow('stopped');
  });

  it.each([
    ['there is no model', null, REQUESTED, UNPUNCTUATED],
    ['no marks are wanted', failing, { nltk: false }, UNPUNCTUATED],
    ['the engine sets marks itself', failing, REQUESTED, { punctuation: true }],
  ])('does nothing when %s', async (_, punctuator, options, engine) => {
    const marked = words();
    expect(
      await addPredictedPunctuation([{ words: marked }], punctuator, options, engine, neverAborted),
    ).toEqual([]);
    expect(marked).toEqual(words());
  });
});

function word(text: string, language: string | null): TimelineWord {
  return {
    text,
    start: 1,
    end: 2,
    confidence: null,
    language,
    mark: undefined,
    estimated: false,
    spaceBefore: false,
    redacted: null,
    chunk: 0,
    channel: null,
    speaker: null,
  };
}
