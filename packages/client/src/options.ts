import type { JobOptions, OutputType, ProgressOptions, SignalOptions } from './types.js';
import type { UploadStateStore } from './uploads/upload-state.js';

export interface ZephyrOptions {
  /** URL of the service, such as `https://zephyr.example.com`. */
  baseUrl: string | URL;
  /** Without one, the constructor throws. It may be `undefined` by its type, as variables of the environment are. */
  apiKey: string | undefined;
  /** Instead of the global `fetch`. */
  fetch?: typeof fetch;
  /** How often a request is repeated after a failure that may pass. Default 6. */
  maxRetries?: number;
  /**
   * How long one attempt of a request may take. A part of a file has longer, by its size, and a transcript as long as its bytes
   * arrive. Default 60,000.
   */
  timeoutMs?: number;
}

export interface SubmitOptions<Format extends OutputType = OutputType>
  extends JobOptions, SignalOptions, ProgressOptions {
  output_type?: Format;
  /** Name of this create. The same name makes the same job for 24 hours, unless its upload has ended. Default: random. */
  idempotencyKey?: string;
  /** Bytes of a stream whose length is known. */
  fileSize?: number;
  /** Bytes of a part, 5 MiB or more. Default 16 MiB. A file of at most one part is sent as a whole. */
  partSize?: number;
  /** Parts that are sent, and held in memory, at a time. Default 4. All files of a client together have 16 at most. */
  concurrency?: number;
  /** Keeps what another process needs to continue the upload. */
  state?: UploadStateStore;
}

/** Complete by its type, so that an option that is added to the interface is added here. */
const JOB_OPTIONS = {
  model: true,
  output_type: true,
  word_timestamps: true,
  speaker_labels: true,
  diarize: true,
  nltk: true,
  filler_words: true,
  redact: true,
  multichannel: true,
  num_speakers: true,
  min_speakers: true,
  max_speakers: true,
  tier: true,
  custom_vocabulary: true,
  vocabulary: true,
  callback_url: true,
  metadata: true,
} satisfies Record<keyof JobOptions, true>;

const OWN_OPTIONS = {
  signal: true,
  onProgress: true,
  idempotencyKey: true,
  fileSize: true,
  partSize: true,
  concurrency: true,
  state: true,
} satisfies Record<Exclude<keyof SubmitOptions, keyof JobOptions>, true>;

const CLIENT_OPTIONS = {
  baseUrl: true,
  apiKey: true,
  fetch: true,
  maxRetries: true,
  timeoutMs: true,
} satisfies Record<keyof ZephyrOptions, true>;

/** @throws TypeError for an option that a client does not have */
export function assertKnownClientOptions(options: object): void {
  const names = Object.keys(CLIENT_OPTIONS);
  for (const name of Object.keys(options))
    if (!names.includes(name)) throw new TypeError(describeUnknownOption(name, names));
}

/**
 * The options that belong into the body of a create.
 * @throws TypeError for an unknown option, which the service would ignore
 */
export function pickJobOptions(options: SubmitOptions): JobOptions {
  const names = [...Object.keys(JOB_OPTIONS), ...Object.keys(OWN_OPTIONS)];
  const entries = Object.entries(options).filter(([name, value]) => {
    if (Object.hasOwn(OWN_OPTIONS, name)) return false;
    if (!Object.hasOwn(JOB_OPTIONS, name)) throw new TypeError(describeUnknownOption(name, names));
    return value !== undefined;
  });
  return Object.fromEntries(entries) as JobOptions;
}

/** @throws TypeError if the number is not one that the option can have */
export function requireInteger(name: string, value: number, min: number): number {
  if (Number.isSafeInteger(value) && value >= min) return value;
  throw new TypeError(`${name} must be an integer of at least ${min}, not ${String(value)}.`);
}

/** @throws TypeError if it cannot keep a state */
export function assertStateStoreIfGiven(state: Partial<UploadStateStore> | undefined): void {
  if (state === undefined) return;
  const isStore = [state.load, state.save, state.clear].every((method) => typeof method === 'function');
  if (!isStore) throw new TypeError('state must have load, save and clear, such as uploadStateFile(path).');
}

function describeUnknownOption(name: string, names: readonly string[]): string {
  const simplify = (text: string) => text.toLowerCase().replaceAll('_', '');
  const similar = names.find((each) => simplify(each) === simplify(name));
  return `${name} is no option${similar === undefined ? '' : `; did you mean ${similar}?`}`;
}
