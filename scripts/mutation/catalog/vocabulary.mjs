const MATCHES = 'libs/speech/src/vocabulary/find-term-matches.ts';
const MATCHES_TEST = 'libs/speech/src/vocabulary/find-term-matches.test.ts';
const ENGINE = 'libs/speech/src/vocabulary/vocabulary-correction-engine.ts';
const ENGINE_TEST = 'libs/speech/src/vocabulary/vocabulary-correction-engine.test.ts';
const CORRECTOR = 'libs/speech/src/vocabulary/vocabulary-corrector.ts';
const CORRECTOR_TEST = 'libs/speech/src/vocabulary/vocabulary-corrector.test.ts';

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
  {
    protects: 'a common word is never replaced by a term',
    file: CORRECTOR,
    change: 'common words are doubted like rare ones',
    from: ` || ranks.isCommon(core)) return false;`,
    to: `) return false;`,
    test: CORRECTOR_TEST,
    name: 'a common word stays, however unsure the engine is of it',
  },
  {
    protects: 'a word of which the engine is sure is not replaced',
    file: CORRECTOR,
    change: 'every rare word is doubted',
    from: `return confidence < MIN_SURE_CONFIDENCE;`,
    to: `return confidence <= 1;`,
    test: CORRECTOR_TEST,
    name: 'a rare word is replaced only if its confidence is below 0.8',
  },
  {
    protects: 'the confidence of a segment is not taken for that of a word',
    file: CORRECTOR,
    change: 'the confidence of a segment decides about its words',
    from: `if (confidence === null || confidenceOf === 'segment') return`,
    to: `if (confidence === null) return`,
    test: CORRECTOR_TEST,
    name: 'without a confidence of its own, a word is replaced unless it is one of the ten thousand most frequent',
  },
  {
    protects: 'a term that was recognised is not taken for another one',
    file: CORRECTOR,
    change: 'words of terms are doubted like others',
    from: ` || termWords.has(core.toLowerCase()) || ranks`,
    to: ` || ranks`,
    test: CORRECTOR_TEST,
    name: 'a word of a term is not doubted',
  },
  {
    protects: 'the words around terms stay, in order',
    file: CORRECTOR,
    change: 'words before a second term are repeated',
    from: `    reached = to;`,
    to: `    reached = Math.min(from, to);`,
    test: CORRECTOR_TEST,
    name: 'the other words stay, in order, with their times and confidences',
  },
  {
    protects: 'the words after the last term stay',
    file: CORRECTOR,
    change: 'words after the last term are left out',
    from: `return [...corrected, ...words.slice(reached)];`,
    to: `return corrected.length > 0 ? corrected : [...words];`,
    test: CORRECTOR_TEST,
    name: 'words before, between and after matches stay when a match takes several words',
  },
  {
    protects: 'a common word of any language is not spelled like a term',
    file: CORRECTOR,
    change: 'common words are spelled like the terms that they equal',
    from: `parts.length > 1 || !ranks.isCommon(parts[0] ?? '')`,
    to: `parts.length > 0`,
    test: CORRECTOR_TEST,
    name: 'a recognized term is spelled as the caller wrote it, but a common word of the language is not',
  },
];
