import type { SampleRange } from '../../vad/model-frame-classifier.js';

/** What the library makes of a stretch of sound; arrays run parallel to `tokens`, and are empty where a model gives none. */
export interface RecognitionResult {
  text: string;
  tokens: string[];
  /** Seconds from the start of the sound at which each token begins. */
  timestamps: number[];
  /** Seconds each token lasts. */
  durations: number[];
  ys_log_probs: number[];
  /** Code of a language, or a token that holds one (`<|en|>`); empty when the model does not tell. */
  lang: string;
  segment_timestamps?: number[];
  segment_durations?: number[];
  segment_texts?: string[];
}

export interface RecognizeRequest {
  /** Configuration of the library's recogniser; the same one finds the model loaded. */
  model: object;
  /** 16 kHz mono. None: the model is loaded and nothing is heard. */
  samples: Int16Array;
  /** Phrases in the library's own form; none when left out. */
  hotwords?: string;
}

export interface AudioRequest {
  /** Configuration of the library's loader; the same one finds the model loaded. */
  model: object;
  /** 16 kHz mono. */
  samples: Int16Array;
}

export interface DiarizeRequest {
  /** Configurations of the library's diarization, and of its extractor of embeddings. */
  model: { diarization: object; embedding: object };
  samples: Int16Array;
}

/** A voice within one stretch of sound. */
export interface DiarizedSpeaker {
  /** Seconds, in order of time. Turns of different voices may overlap. */
  turns: { start: number; end: number }[];
  /** Of the sound in which it speaks alone; null where that is too short. */
  embedding: Float32Array | null;
}

export interface PunctuateRequest {
  model: object;
  /** Words with a space between them. */
  texts: string[];
}

/**
 * What a host can be asked: kind -> request and answer. A handler of the same name stands in `handlers.mjs`.
 * `model` is all that decides what has to be loaded: a host that has loaded it before is preferred.
 */
export interface HostRequests {
  recognize: { request: RecognizeRequest; answer: RecognitionResult | null };
  /** Where there is speech. */
  detectSpeech: { request: AudioRequest; answer: SampleRange[] };
  diarizeSpeakers: { request: DiarizeRequest; answer: DiarizedSpeaker[] };
  /** The texts with marks, as the library writes them. */
  punctuate: { request: PunctuateRequest; answer: string[] };
  /** Code of the language; empty when the model cannot tell. */
  identifyLanguage: { request: AudioRequest; answer: string };
}

export type HostRequestKind = keyof HostRequests;

/** What a host sends back. */
export type HostResponse = { answer: unknown } | { failure: string };
