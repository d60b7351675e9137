const MATCHES = 'libs/speech/src/vocabulary/find-term-matches.ts';
const MATCHES_TEST = 'libs/speech/src/vocabulary/find-term-matches.test.ts';
const ENGINE = 'libs/speech/src/vocabulary/vocabulary-correction-engine.ts';
const ENGINE_TEST = 'libs/speech/src/vocabulary/vocabulary-correction-engine.test.ts';

/** A vocabulary changes only words that an engine doubts. @type {import('../mutation.mjs').Mutation[]} */
export const VOCABULARY = [
  {
    protects: 'a word that is not doubted is never replaced',
    file: MATCHES,
    change: 'one doubted word is enough for all words of a span',
    from: `isDoubted || (keys.includes(key) && phonemes.length > 0),`,
    to: `isDoubted || phonemes.length > 0 || keys.includes(key),`,
    test: MATCHES_TEST,
    name: 'replaces no word that is not doubted, however like a term it sounds',
  },
  {
    protects: 'words of a term that are right stay as they are',
    file: MATCHES,
    change: 'right words at the start are replaced, too',
    from: `span[before]?.key === keys[before]) before += 1;`,
    to: `span[before]?.key === keys[before]) break;`,
    test: MATCHES_TEST,
    name: 'keeps the words of a term of several words that are right',
  },
  {
    protects: 'a short word is not replaced by one that only resembles it',
    file: MATCHES,
    change: 'short words are compared like long ones',
    from: `return isShort && distance > 0 ? Infinity : distance;`,
    to: `return distance;`,
    test: MATCHES_TEST,
    name: 'short words must sound the same',
  },
  {
    protects: 'words are not lost when the correction fails',
    file: ENGINE,
    change: 'the failure ends the transcription',
    from: `      this.onCorrectionError(error);`,
    to: `      throw error;`,
    test: ENGINE_TEST,
    name: 'a failed correction keeps the words and is reported',
  },
];
