import type { ChunkTranscription, RecognizedWord } from '../engine/engine.js';
import { splitOffSurroundingMarks, TermPart } from '../engine/term-marks.js';
import { restoreTermSpelling } from '../engine/sherpa/merge-biased-terms-into-unbiased-words.js';
import { guessPhonemesByText } from './espeak-pronouncer.js';
import { CorrectionBudget } from './correction-budget.js';
import { InflectedNameForms } from './is-inflected-form.js';
import {
  type CandidateWord,
  findVocabularyTermMatches,
  type VocabularyTermMatch,
} from './find-vocabulary-term-matches.js';
import {
  findWordListLanguage,
  loadFrequentWords,
  type WordListLanguage,
  type FrequentWords,
} from './language-word-lists.js';
import { buildReplacementTermWords } from './build-replacement-term-words.js';
import { TermIndex } from './term-index.js';
import { pronounceTerms, type PronouncedTermsWithUnreadableCount } from './vocabulary-terms.js';

/** Engines are less sure of a name that they do not know. */
const MIN_SURE_CONFIDENCE = 0.8;
/** Nobody pauses this long within a term. */
const MIN_PAUSE_SECONDS = 0.6;
const PHRASE_END = /[.,;:!?…。、，！？]["”»)]*$/u;
const POSSESSIVE = /['’]s$/u;
/** Term lists whose sounds are remembered. */
const MAX_CACHED_LISTS = 8;

interface PronouncedList extends PronouncedTermsWithUnreadableCount {
  index: TermIndex;
}

/** Replaces words that an engine doubts by terms that sound like them. */
export class VocabularyCorrector {
  private readonly cache = new Map<string, PronouncedList>();

  /**
   * The result counts terms that cannot be used in any language of the words.
   * @throws the reason of the abort, CorrectionBudgetExceededError
   */
  async correct(
    transcription: ChunkTranscription,
    terms: readonly string[],
    signal: AbortSignal,
  ): Promise<ChunkTranscription> {
    if (terms.length === 0) return transcription;
    const runs = groupIntoRuns(transcription.words, transcription.language);
    const budget = new CorrectionBudget(signal);
    let unusedTerms = terms.length;
    const words: RecognizedWord[] = [];
    const termsByLanguage = new Map<WordListLanguage, PronouncedList>();
    for (const language of new Set(runs.flatMap((run) => run.language ?? []))) {
      const sample = runs
        .find((run) => run.language === language)
        ?.words.map(({ text }) => text)
        .join(' ');
      const spoken = await this.pronounce(terms, language, sample ?? '', budget, signal);
      termsByLanguage.set(language, spoken);
      unusedTerms = Math.min(unusedTerms, spoken.unreadable);
    }
    for (const run of runs) {
      const { language } = run;
      const spoken = language && termsByLanguage.get(language);
      words.push(...(spoken ? await correctRun(run.words, language, spoken, budget, signal) : run.words));
    }
    return {
      ...transcription,
      words,
      unusedTerms,
      ...(termsByLanguage.size === 0 && {
        languagesWithoutVocabulary: [...new Set(runs.map(({ tag }) => tag))],
      }),
    };
  }

  private async pronounce(
    terms: readonly string[],
    language: WordListLanguage,
    sample: string,
    budget: CorrectionBudget,
    signal: AbortSignal,
  ): Promise<PronouncedList> {
    const key = JSON.stringify([language.voice, ...terms]);
    const known = this.cache.get(key);
    if (known) return known;
    const pronounced = await pronounceTerms(terms, language, sample, signal);
    const spoken = { ...pronounced, index: await TermIndex.build(pronounced.terms, budget) };
    const [oldest] = this.cache.keys();
    if (this.cache.size >= MAX_CACHED_LISTS && oldest !== undefined) this.cache.delete(oldest);
    if (spoken.terms.length > 0) this.cache.set(key, spoken);
    return spoken;
  }
}

interface WordRun {
  words: RecognizedWord[];
  /** BCP 47. */
  tag: string | null;
  language: WordListLanguage | null;
}

/** Consecutive words of one language. */
function groupIntoRuns(words: readonly RecognizedWord[], chunkLanguage: string | null): WordRun[] {
  const runs: WordRun[] = [];
  for (const word of words) {
    const tag = word.language ?? chunkLanguage;
    const language = findWordListLanguage(tag ?? '');
    const last = runs.at(-1);
    if (last && (language ? last.language === language : last.tag === tag)) last.words.push(word);
    else runs.push({ words: [word], tag, language });
  }
  return runs;
}

async function correctRun(
  words: readonly RecognizedWord[],
  language: WordListLanguage,
  { terms, index: termIndex }: PronouncedList,
  budget: CorrectionBudget,
  signal: AbortSignal,
): Promise<RecognizedWord[]> {
  const ranks = await loadFrequentWords(language);
  const termWords = listTermWords(terms);
  const markedParts = terms
    .flatMap(({ parts }) => parts.filter(hasSurroundingMarks))
    .map((part) => new TermPart(part));
  const inflected = new InflectedNameForms(language.inflectsNames ? termWords : []);
  const cores: string[] = [];
  const doubted: boolean[] = [];
  for (const word of words) {
    const core = findCore(word.text, markedParts);
    cores.push(core);
    doubted.push(isDoubted(word, core, ranks, termWords) && !inflected.has(core));
    await budget.yieldIfDue();
  }
  const phonemes = await guessPhonemesByText(
    cores.filter((core, index) => doubted[index] || termWords.has(core.toLowerCase())),
    language.voice,
    signal,
  );
  const candidates = words.map((word, index): CandidateWord => {
    const core = cores[index] ?? '';
    const next = words[index + 1];
    return {
      key: core.toLowerCase(),
      isDoubted: (doubted[index] ?? false) && phonemes.has(core),
      endsPhrase:
        PHRASE_END.test(word.text) || (next !== undefined && next.start - word.end > MIN_PAUSE_SECONDS),
      phonemes: phonemes.get(core) ?? [],
    };
  });
  const corrected = replaceMatches(words, await findVocabularyTermMatches(candidates, termIndex, budget));
  const spelled = terms.filter(({ parts }) => parts.length > 1 || !ranks.isCommon(parts[0] ?? ''));
  return restoreTermSpelling(
    corrected,
    spelled.map(({ parts }) => parts.join(' ')),
  );
}

/** Nobody hears the marks of `C#` or `Yahoo!`: their letters alone are not doubted either. */
function listTermWords(terms: PronouncedList['terms']): Set<string> {
  const parts = terms.flatMap((term) => term.parts.map((part) => part.toLowerCase()));
  return new Set(parts.flatMap((part) => [part, splitOffSurroundingMarks(part).core]));
}

function hasSurroundingMarks(part: string): boolean {
  return splitOffSurroundingMarks(part).core !== part;
}

/** The marks of a term that has some belong to the word. */
function findCore(text: string, markedParts: readonly TermPart[]): string {
  for (const part of markedParts) {
    const found = part.match(text);
    if (found) return found.core;
  }
  return splitOffSurroundingMarks(text).core.replace(POSSESSIVE, '');
}

/** Without a probability of its own, a word is doubted if it is not among the frequent ones of the language. */
function isDoubted(
  { confidence, confidenceOf }: RecognizedWord,
  core: string,
  ranks: FrequentWords,
  termWords: ReadonlySet<string>,
): boolean {
  if (!/\p{L}/u.test(core) || termWords.has(core.toLowerCase()) || ranks.isCommon(core)) return false;
  if (confidence === null || confidenceOf === 'segment') return !ranks.isKnown(core);
  return confidence < MIN_SURE_CONFIDENCE;
}

function replaceMatches(
  words: readonly RecognizedWord[],
  matches: readonly VocabularyTermMatch[],
): RecognizedWord[] {
  const corrected: RecognizedWord[] = [];
  let reached = 0;
  for (const { from, to, term, fromPart, toPart, hasSuffix } of matches) {
    const replaced = words.slice(from, to);
    const parts = term.parts.slice(fromPart, toPart);
    const { core } = splitOffSurroundingMarks(replaced.at(-1)?.text ?? '');
    const ending = POSSESSIVE.exec(core)?.[0] ?? (hasSuffix ? 's' : '');
    corrected.push(
      ...words.slice(reached, from),
      ...buildReplacementTermWords(
        replaced,
        parts.map((part, index) => (index === parts.length - 1 ? part + ending : part)),
      ),
    );
    reached = to;
  }
  return [...corrected, ...words.slice(reached)];
}
