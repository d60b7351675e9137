import type { Page } from 'playwright-core';

/** Types of `large-transcript.mjs` for tests. */
export const LARGE_JOB: { job_id: string };
interface Word {
  word: string;
  start: number;
  end: number;
  confidence: number;
  speaker: string | null;
}
export function makeLargeTranscript(words: number): {
  duration: number;
  language: string;
  speakers: { id: string; name: string | null; duration: number }[];
  segments: { id: number; start: number; end: number; text: string; speaker: string; words: Word[] }[];
  warnings: object[];
};
export function startOfWord(word: number): number;
export function openLargeTranscript(page: Page, words: number, audio: Buffer): Promise<void>;
export function scrollToLastWord(page: Page, words: number): Promise<void>;
export function playWords(
  page: Page,
  count: number,
): Promise<{ sounded: { word: number; seconds: number }[]; frames: number[] }>;
