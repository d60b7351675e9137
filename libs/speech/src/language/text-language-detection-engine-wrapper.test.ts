import { describe, expect, it } from 'vitest';
import type { ChunkTranscription, RecognizedWord, SpeechEngine } from '../engine/engine.js';
import { TextLanguageDetectionEngineWrapper } from './text-language-detection-engine-wrapper.js';

const audio = { path: '/chunk.wav', duration: 30 };
const options = { vocabulary: [], signal: new AbortController().signal };

describe('TextLanguageDetectionEngineWrapper', () => {
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

  it('finds a second language that the engine takes for the first', async () => {
    const english = 'Nobody knew where the old man had gone.';
    const german = 'Ich möchte bitte einen Kaffee mit Milch bestellen.';
    const languagesOf = (result: ChunkTranscription) => [
      ...new Set(result.words.map(({ language }) => language ?? result.language)),
    ];
    expect(languagesOf(await transcribe(speak(english, german), 'en'))).toEqual(['en', 'de']);
    const tagged = speak(german, english).map((word) => ({ ...word, language: 'de' }));
    expect(languagesOf(await transcribe(tagged, 'de'))).toEqual(['de', 'en']);
    const danish = 'Jeg ved ikke, hvor han var i går aftes, siger hun.';
    const norwegian = 'Jeg vet ikke hvor han var i går kveld, sier hun.';
    expect(languagesOf(await transcribe(speak(danish, norwegian), 'da', ['da', 'no', 'en']))).toEqual(['da']);
  });

  it('leaves a language that the text library does not know, and short texts, to the engine', async () => {
    const galician = 'Non sei onde estaba onte pola noite, dixo a muller.';
    const spanish = 'No sé dónde estuvo ayer por la noche, dijo la mujer.';
    const result = await transcribe(speak(galician, spanish), 'gl', ['gl', 'es', 'pt']);
    expect(result.words.every(({ language }) => language === null)).toBe(true);
    const short = await transcribe(
      speak('Nobody knew where the old man had gone.', 'Guten Morgen, Nina.'),
      'en',
    );
    expect(short.words.every(({ language }) => language === null)).toBe(true);
  });

  it('what the engine heard apart is a segment of its own, without a pause or a mark', async () => {
    const words = speak(
      'nobody knew where the old man had gone ich möchte bitte einen Kaffee mit Milch bestellen',
    );
    const within = words.map((word, index) => ({
      ...word,
      estimatedWithin: index < 8 ? { start: 0, end: 4 } : { start: 4, end: 8 },
    }));
    const { words: found } = await transcribe(within);
    expect(found.map(({ language }) => language)).toEqual([
      ...Array.from({ length: 8 }, () => 'en'),
      ...Array.from({ length: 8 }, () => 'de'),
    ]);
  });

  it('a sentence may end with a bracket or in another script', async () => {
    const words = [
      '「今日はとても良い天気です。」',
      'Nobody',
      'knew',
      'where',
      'the',
      'old',
      'man',
      'had',
      'gone.',
    ];
    const { words: found } = await transcribe(speak(words.join(' ')), null, ['en', 'ja']);
    expect(found.map(({ language }) => language)).toEqual(['ja', ...Array.from({ length: 8 }, () => 'en')]);
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
  return new TextLanguageDetectionEngineWrapper(engine).transcribe(audio, options);
}
