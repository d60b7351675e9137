import type { TranscriptSegment } from '../transcript-document.js';

/** The languages, the one that is spoken longest first; of two spoken equally long the earlier. */
export function rankLanguages(segments: readonly TranscriptSegment[]): {
  language: string | null;
  languages: string[];
} {
  const seconds = new Map<string, number>();
  for (const { language, start, end } of segments) {
    if (language !== null) seconds.set(language, (seconds.get(language) ?? 0) + end - start);
  }
  const languages = [...seconds].toSorted(([, a], [, b]) => b - a).map(([language]) => language);
  return { language: languages[0] ?? null, languages };
}
