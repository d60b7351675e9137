import { describe, expect, it } from 'vitest';
import type { ChunkTranscription, RecognizedWord, SpeechEngine } from '../engine/engine.js';
import { TextLanguageEngineWrapper } from './text-language-engine-wrapper.js';

const audio = { path: '/chunk.wav', duration: 30 };
const options = { vocabulary: [], signal: new AbortController().signal };

describe('TextLanguageEngineWrapper', () => {
  it('finds the language of each sentence where the engine reports none', async () => {
    const result = await transcribe(
      speak('Nobody knew where the old man had gone.', 'Ich möchte bitte einen Kaffee mit Milch bestellen.'),
    );
    expect(new Set(result.words.slice(0, 8).map(({ language }) => language))).toEqual(new Set(['en']));
    expect(new Set(result.words.slice(8).map(({ language }) => language))).toEqual(new Set(['de']));
    expect(['en', 'de']).toContain(result.language);
  });

  it('a short sentence has the language of those around it', async () => {
    const result = await transcribe(
      speak('Nobody knew where the old man had gone.', 'Nina.', 'We should meet at the station tomorrow.'),
    );
    expect(new Set(result.words.map(({ language }) => language))).toEqual(new Set(['en']));
    expect(result.language).toBe('en');
  });

  it('changes no language that the engine reports, and none of an engine of one language', async () => {
    const words = speak('Ich möchte bitte einen Kaffee mit Milch bestellen.');
    expect((await transcribe(words, 'fr')).language).toBe('fr');
    expect((await transcribe(words, null, ['en'])).words).toEqual(words);
  });

  it('leaves the language unknown where there is too little text', async () => {
    expect(await transcribe(speak('Nina.'))).toMatchObject({ language: null, words: [{ language: null }] });
    expect((await transcribe([])).language).toBeNull();
  });
});

function speak(...sentences: string[]): RecognizedWord[] {
  return sentences.flatMap((sentence, at) =>
    sentence.split(' ').map((text, index) => ({
      text,
      start: at * 10 + index * 0.5,
      end: at * 10 + index * 0.5 + 0.4,
      confidence: null,
      language: null,
    })),
  );
}

function transcribe(
  words: RecognizedWord[],
  language: string | null = null,
  languages = ['en', 'de', 'fr', 'es'],
): Promise<ChunkTranscription> {
  const engine = {
    capabilities: { languages, wordTimes: true, punctuation: true, vocabulary: false },
    transcribe: async () => ({ words, language }),
  } as Partial<SpeechEngine> as SpeechEngine;
  return new TextLanguageEngineWrapper(engine).transcribe(audio, options);
}
