/** What the library makes of a stretch of sound; arrays run parallel to `tokens`, and are empty where a model gives none. */
export interface Recognized {
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

/**
 * What a host can be asked: kind -> request and answer. A handler of the same name stands in `handlers.mjs`.
 * `model` is all that decides what has to be loaded: a host that has loaded it before is preferred.
 */
export interface HostRequests {
  recognize: { request: RecognizeRequest; answer: Recognized | null };
}

export type HostKind = keyof HostRequests;

/** What a host sends back. */
export type HostAnswer = { answer: unknown } | { failure: string };
