import type { TranscriptSegment } from '../document.js';

/** The languages in order of first appearance, and the one that is spoken longest. */
export function weighLanguages(segments: readonly TranscriptSegment[]): {
  language: string | null;
  languages: string[];
} {
  const seconds = new Map<string, number>();
  for (const { language, start, end } of segments) {
    if (language !== null) seconds.set(language, (seconds.get(language) ?? 0) + end - start);
  }
  const languages = [...seconds.keys()];
  const longest = Math.max(...seconds.values());
  return { language: languages.find((language) => seconds.get(language) === longest) ?? null, languages };
}
