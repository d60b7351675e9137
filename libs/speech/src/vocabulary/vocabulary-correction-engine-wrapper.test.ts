import { describe, expect, it, vi } from 'vitest';
import type { ChunkTranscription, EngineCapabilities, SpeechEngine } from '../engine/engine.js';
import { VocabularyCorrectionEngineWrapper } from './vocabulary-correction-engine-wrapper.js';

const audio = { path: '/chunk.wav', duration: 3 };
const { signal } = new AbortController();
const WORDS = [{ text: 'Kovalchick', start: 1, end: 2, confidence: 0.4, language: null }];
const HEARD: ChunkTranscription = { words: WORDS, language: 'en' };
const CORRECTED: ChunkTranscription = {
  ...HEARD,
  words: [{ ...WORDS[0], text: 'Kowalczyk', start: 1, end: 2, confidence: null, language: null }],
  unusedTerms: 1,
};

function build(result: ChunkTranscription, capabilities: Partial<EngineCapabilities> = {}) {
  const engine = {
    capabilities: {
      languages: 'any',
      wordTimes: true,
      punctuation: true,
      vocabulary: false,
      ...capabilities,
    },
    transcribe: vi.fn(async () => result),
  } as Partial<SpeechEngine> as SpeechEngine;
  const corrector = { correct: vi.fn(async () => CORRECTED) };
  const onError = vi.fn();
  return {
    engine,
    corrector,
    onError,
    correcting: new VocabularyCorrectionEngineWrapper(engine, onError, corrector),
  };
}

describe('VocabularyCorrectionEngineWrapper', () => {
  it('corrects the words of an engine, and says that a vocabulary is supported', async () => {
    const { correcting, corrector } = build(HEARD);
    expect(correcting.capabilities.vocabulary).toBe(true);
    const options = { vocabulary: ['Kowalczyk', '風'], signal };
    expect(await correcting.transcribe(audio, options)).toEqual(CORRECTED);
    expect(corrector.correct).toHaveBeenCalledExactlyOnceWith(HEARD, options.vocabulary, signal);
  });

  it('neither engine nor correction gets invisible characters of terms that were copied from somewhere', async () => {
    const { correcting, corrector, engine } = build(HEARD);
    const vocabulary = ['\u200bKowal\u00adczyk', '\u202eKPMG\u202c', '\ufeff', 'می\u200cشود'];
    const cleaned = ['Kowalczyk', 'KPMG', '\ufeff', 'می\u200cشود'];
    await correcting.transcribe(audio, { vocabulary, signal });
    expect(engine.transcribe).toHaveBeenCalledExactlyOnceWith(audio, { vocabulary: cleaned, signal });
    expect(corrector.correct).toHaveBeenCalledExactlyOnceWith(HEARD, cleaned, signal);
    const warmUp = vi.fn();
    engine.warmUp = warmUp;
    correcting.warmUp(vocabulary);
    expect(warmUp).toHaveBeenCalledExactlyOnceWith(cleaned);
  });

  it('leaves the words alone without terms or without words', async () => {
    const { correcting, corrector } = build(HEARD);
    expect(await correcting.transcribe(audio, { vocabulary: [], signal })).toEqual(HEARD);
    const silent = build({ words: [], language: null });
    await silent.correcting.transcribe(audio, { vocabulary: ['Kowalczyk'], signal });
    expect(corrector.correct).not.toHaveBeenCalled();
    expect(silent.corrector.correct).not.toHaveBeenCalled();
  });

  it('a term is unused only if neither the engine nor the correction can use it', async () => {
    const unusedOf = async (unusedByEngine: number | undefined, vocabulary: boolean) => {
      const { correcting } = build(
        { ...HEARD, ...(unusedByEngine !== undefined && { unusedTerms: unusedByEngine }) },
        { vocabulary },
      );
      return (await correcting.transcribe(audio, { vocabulary: ['Kowalczyk', 'Kubernetes', '風'], signal }))
        .unusedTerms;
    };
    expect(await unusedOf(undefined, false)).toBe(1);
    expect(await unusedOf(undefined, true)).toBe(0);
    expect(await unusedOf(3, true)).toBe(1);
  });

  it('a failed correction keeps the words and is reported', async () => {
    const { correcting, corrector, onError } = build(HEARD);
    const failure = new Error('out of memory');
    corrector.correct.mockRejectedValue(failure);
    expect(await correcting.transcribe(audio, { vocabulary: ['Kowalczyk'], signal })).toEqual({
      ...HEARD,
      unusedTerms: 1,
    });
    expect(onError).toHaveBeenCalledExactlyOnceWith(failure);
  });

  it('a full disk and an abort are thrown', async () => {
    const { correcting, corrector, onError } = build(HEARD);
    const full = Object.assign(new Error('no room'), { code: 'ENOSPC' });
    corrector.correct.mockRejectedValueOnce(full);
    await expect(correcting.transcribe(audio, { vocabulary: ['Kowalczyk'], signal })).rejects.toBe(full);
    const reason = new Error('no longer wanted');
    corrector.correct.mockRejectedValueOnce(new Error('killed'));
    const aborted = correcting.transcribe(audio, {
      vocabulary: ['Kowalczyk'],
      signal: AbortSignal.abort(reason),
    });
    await expect(aborted).rejects.toBe(reason);
    expect(onError).not.toHaveBeenCalled();
  });

  it('the result does not say whose confidence a word has', async () => {
    const { correcting } = build({ ...HEARD, words: [{ ...WORDS[0], confidenceOf: 'segment' } as never] });
    expect((await correcting.transcribe(audio, { vocabulary: [], signal })).words).toEqual(WORDS);
  });
});
