import { VocabularyCorrector } from '../../dist/libs/speech/src/index.js';
import {
  compareWithSpoken,
  listNamesInSentences,
  MADE_UP_NAMES,
  makeMisheardTranscripts,
  MISHEARD_LANGUAGES,
} from '../../scripts/material/library.mjs';
import { printProgress } from '../../scripts/lib/user-facing-error.mjs';

const FULL = { languages: MISHEARD_LANGUAGES, seeds: [1, 2, 3] };
const QUICK = { languages: MISHEARD_LANGUAGES.slice(0, 1), seeds: [1] };

/**
 * Names that an engine misheard, before and after the correction by the vocabulary. Counts held-out names only.
 *
 * @param {unknown} _ @param {{ quick: boolean }} length
 * @returns {Promise<import('../speech.mjs').PartResult>}
 */
export async function benchCorrection(_, { quick }) {
  const { languages, seeds } = quick ? QUICK : FULL;
  const results = [];
  for (const language of languages)
    for (const hasConfidence of [true, false])
      results.push(await measureCorrection(language, hasConfidence, seeds));
  return {
    rows: [],
    findings: [...results.flatMap(toFindings), toChangedWordsFinding(results)],
    rounds: results,
  };
}

async function measureCorrection(language, hasConfidence, seeds) {
  const names = listNamesInSentences(language).map(({ term }) => term);
  const terms = [...names, ...MADE_UP_NAMES].slice(0, 500);
  const corrector = new VocabularyCorrector();
  const { signal } = new AbortController();
  const transcripts = await makeMisheardTranscripts(language, { hasConfidence, seeds });
  const result = {
    language,
    hasConfidence,
    total: 0,
    before: 0,
    after: 0,
    ordinaryWords: 0,
    changedWords: [],
  };
  for (const transcript of transcripts.filter(({ isHeldOut }) => isHeldOut)) {
    const { words } = await corrector.correct(transcript.transcription, terms, signal);
    const { isRight, changedWords } = compareWithSpoken(transcript, words);
    result.total += 1;
    result.before += compareWithSpoken(transcript, transcript.transcription.words).isRight ? 1 : 0;
    result.after += isRight ? 1 : 0;
    result.ordinaryWords += transcript.ordinaryWords.length;
    result.changedWords.push(...changedWords);
  }
  printProgress(
    `  ${language}, ${hasConfidence ? 'with' : 'without'} confidence: ${result.before}, then ${result.after} of ${result.total} right; changed: ${result.changedWords.join(', ') || 'none'}`,
  );
  return result;
}

function toFindings({ language, hasConfidence, total, before, after }) {
  return [
    {
      what: `correction: ${language}, held-out names right, ${hasConfidence ? 'confidence of each word' : 'no confidence'}`,
      ours: `${after} of ${total}`,
      baseline: `${before} of ${total}`,
      ...{ value: (100 * after) / total, unit: ' %', target: null },
    },
  ];
}

function toChangedWordsFinding(results) {
  const sum = (value) => results.reduce((total, result) => total + value(result), 0);
  const changed = sum(({ changedWords }) => changedWords.length);
  return {
    what: 'correction: other words changed, at most',
    ours: `${changed} of ${sum(({ ordinaryWords }) => ordinaryWords)}`,
    baseline: '',
    ...{ value: changed, unit: ' words', target: 0, bound: 'at most' },
  };
}
