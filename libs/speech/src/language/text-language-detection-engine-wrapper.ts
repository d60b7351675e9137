import type { ChunkFile, ChunkTranscription, RecognitionOptions, RecognizedWord } from '../engine/engine.js';
import { endsWithSentenceMark } from '../engine/ends-with-sentence-mark.js';
import { EngineWrapper } from '../engine/engine-wrapper.js';
import { supportsLanguage } from '../engine/language-tag.js';
import {
  detectTextLanguage,
  contradictsReportedLanguage,
  ensureTextLanguageDetectorLoaded,
} from './detect-text-language.js';

/** A pause this long separates two segments, as does the end of a sentence. */
const MIN_PAUSE_SECONDS = 0.6;

/** Finds the language of each segment by its text, where the engine reports none, or one for several. */
export class TextLanguageDetectionEngineWrapper extends EngineWrapper {
  async transcribe(audio: ChunkFile, options: RecognitionOptions): Promise<ChunkTranscription> {
    const result = await this.engine.transcribe(audio, options);
    const { languages } = this.capabilities;
    const hasOneLanguage = languages !== 'any' && languages.length < 2;
    if (hasOneLanguage || result.words.length === 0) return result;
    await ensureTextLanguageDetectorLoaded();
    return result.language === null
      ? { ...result, ...detectLanguages(result.words, languages) }
      : { ...result, words: correctLanguages(result.words, result.language, languages) };
  }
}

/**
 * Engines report the language that they heard first, or most. Where the text of some segments is in that language, others
 * that certainly are in another one get this.
 */
function correctLanguages(
  words: RecognizedWord[],
  chunkLanguage: string,
  languages: readonly string[] | 'any',
): RecognizedWord[] {
  const segments = groupIntoSegments(words).map((own) => {
    const text = own.map((word) => word.text).join(' ');
    const reported = own[0]?.language ?? chunkLanguage;
    const detected = detectTextLanguage(text, languages);
    const isConfirmed = detected !== null && supportsLanguage([reported], detected);
    return { words: own, text, reported, detected, isConfirmed };
  });
  const confirmed = new Set(segments.flatMap((each) => (each.isConfirmed ? each.reported : [])));
  return segments.flatMap(({ words: own, text, reported, detected, isConfirmed }) => {
    const isOther =
      detected !== null &&
      !isConfirmed &&
      confirmed.has(reported) &&
      contradictsReportedLanguage(text, reported, detected);
    return isOther ? own.map((word) => ({ ...word, language: detected })) : own;
  });
}

/** The language of the chunk is that of most letters; segments with too little text have it, too. */
function detectLanguages(
  words: readonly RecognizedWord[],
  languages: readonly string[] | 'any',
): Pick<ChunkTranscription, 'words' | 'language'> {
  const segments = groupIntoSegments(words).map((own) => {
    const text = own.map((word) => word.text).join(' ');
    return { words: own, letters: text.length, language: detectTextLanguage(text, languages) };
  });
  const letters = new Map<string, number>();
  for (const { language, letters: count } of segments)
    if (language !== null) letters.set(language, (letters.get(language) ?? 0) + count);
  const [main] = [...letters].toSorted(([, a], [, b]) => b - a);
  const chunkLanguage = main?.[0] ?? detectTextLanguage(words.map(({ text }) => text).join(' '), languages);
  return {
    language: chunkLanguage,
    words: segments.flatMap(({ words: own, language }) =>
      own.map((word) => ({ ...word, language: word.language ?? language ?? chunkLanguage })),
    ),
  };
}

function groupIntoSegments(words: readonly RecognizedWord[]): RecognizedWord[][] {
  const segments: RecognizedWord[][] = [];
  for (const [index, word] of words.entries()) {
    const before = words[index - 1];
    const isContinued =
      before &&
      word.start - before.end < MIN_PAUSE_SECONDS &&
      !endsWithSentenceMark(before.text) &&
      isHeardWith(before, word);
    if (isContinued) segments.at(-1)?.push(word);
    else segments.push([word]);
  }
  return segments;
}

/** The engine heard both in the same span, as far as it says. */
function isHeardWith(before: RecognizedWord, word: RecognizedWord): boolean {
  return (
    before.language === word.language &&
    before.estimatedWithin?.start === word.estimatedWithin?.start &&
    before.estimatedWithin?.end === word.estimatedWithin?.end
  );
}
