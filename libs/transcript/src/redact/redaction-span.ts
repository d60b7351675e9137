import type { RedactionKind } from './redaction-kinds.js';

/** Indices of words; `end` is after the last one. */
export interface RedactionSpan {
  kind: RedactionKind;
  start: number;
  end: number;
}

/** A word in which values are searched. */
export interface BareWord {
  /** Without punctuation at its edges. */
  text: string;
  /** First part of a BCP 47 tag; null if unknown. */
  language: string | null;
  /** The end of a sentence or a long pause follows: no number goes on after it. */
  endsRun: boolean;
}
