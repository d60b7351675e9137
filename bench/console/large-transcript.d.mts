import type { Page } from 'playwright-core';

/** Types of `large-transcript.mjs` for tests. */
export function startOfWord(word: number): number;
export function openLargeTranscript(page: Page, words: number, audio: Buffer): Promise<void>;
export function scrollToLastWord(page: Page, words: number): Promise<void>;
export function playWords(
  page: Page,
  count: number,
): Promise<{ sounded: { word: number; seconds: number }[]; frames: number[] }>;
