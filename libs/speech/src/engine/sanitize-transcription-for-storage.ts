import type { ChunkTranscription } from './engine.js';

// oxlint-disable-next-line no-control-regex -- Postgres stores no NUL in text
const NUL = /\u0000/g;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * Makes the words of any engine storable: Postgres rejects NUL and lone surrogates, so one bad character would cost the whole
 * chunk. Lone surrogates become U+FFFD; words without any other character are dropped. Values that are not numbers become
 * null.
 */
export function sanitizeTranscriptionForStorage(transcription: ChunkTranscription): ChunkTranscription {
  const { languagesWithoutVocabulary: unsearched } = transcription;
  return {
    ...transcription,
    language: cleanLanguage(transcription.language),
    ...(unsearched && { languagesWithoutVocabulary: unsearched.map(cleanLanguage) }),
    words: transcription.words.flatMap((word) => {
      const text = cleanCharacters(word.text);
      if (text === '') return [];
      const { confidence, language } = word;
      return {
        ...word,
        text,
        confidence: Number.isFinite(confidence) ? confidence : null,
        language: cleanLanguage(language),
      };
    }),
  };
}

function cleanCharacters(text: string): string {
  return text.replace(NUL, '').replace(LONE_SURROGATE, '\ufffd');
}

function cleanLanguage(language: string | null): string | null {
  return language === null ? null : cleanCharacters(language) || null;
}
