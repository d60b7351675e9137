import type { SampleRange } from '../../vad/model-frame-classifier.js';

/** Arrays run parallel to `tokens`; they are empty if the model does not report the values. */
export interface RecognitionResult {
  text: string;
  tokens: string[];
  /** Start of each token, in seconds from the start of the audio. */
  timestamps: number[];
  /** Duration of each token in seconds. */
  durations: number[];
  ys_log_probs: number[];
  /** Language code, or a token that contains one (`<|en|>`); empty if unknown. */
  lang: string;
  segment_timestamps?: number[];
  segment_durations?: number[];
  segment_texts?: string[];
}

export interface RecognizeRequest {
  /** Configuration of the library's recognizer; hosts cache models by it. */
  model: object;
  /** 16 kHz mono. Empty: only loads the model. */
  samples: Int16Array;
  /** Phrases in the library's format. */
  hotwords?: string;
}

export interface AudioModelRequest {
  /** Configuration of the library's loader; hosts cache models by it. */
  model: object;
  /** 16 kHz mono. */
  samples: Int16Array;
}

export interface DiarizeRequest {
  /** Configurations of the library's diarization, without clustering, and embedding extractor. */
  model: { diarization: object; embedding: object };
  /** Maximum cosine distance within a speaker. */
  clusterDistance: number;
  samples: Int16Array;
}

export interface DiarizedSpeaker {
  /** Seconds, in order of time. Turns of different speakers may overlap. */
  turns: { start: number; end: number }[];
  /** Computed from speech without overlap; null if there is too little. */
  embedding: Float32Array | null;
}

export interface PunctuateRequest {
  /** Configuration of the library's loader. */
  model: { model: { ctTransformer?: string; cnnBilstm?: string } };
  /** Words separated by spaces. */
  texts: string[];
}

/**
 * Requests and responses by kind; `handlers.mjs` has a handler for each. Hosts that have loaded `model` before are
 * preferred.
 */
export interface HostRequestTypeMap {
  recognize: { request: RecognizeRequest; answer: RecognitionResult | null };
  detectSpeech: { request: AudioModelRequest; answer: SampleRange[] };
  diarizeSpeakers: { request: DiarizeRequest; answer: DiarizedSpeaker[] };
  /** Responds with the punctuated texts. */
  punctuate: { request: PunctuateRequest; answer: string[] };
  /** Responds with a language code; empty if unknown. */
  identifyLanguage: { request: AudioModelRequest; answer: string };
}

export type HostRequestKind = keyof HostRequestTypeMap;

export type HostResponse = ({ answer: unknown } | { failure: string }) & { peakMemoryBytes: number };
