import type { RedactionKind } from './redaction-kinds.js';

/** Indices of words; `end` is after the last one. */
export interface RedactionSpan {
  kind: RedactionKind;
  start: number;
  end: number;
}

const EDGES = /^[\p{Pi}\p{Ps}"'¿¡]+|[\p{Pf}\p{Pe}"'.,;:!?…。，、！？；：]+$/gu;

/** A word without the punctuation around it. */
export function stripSurroundingPunctuation(word: string): string {
  return word.replaceAll(EDGES, '');
}
