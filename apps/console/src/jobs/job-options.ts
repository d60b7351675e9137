import type { ConsoleApiSchema } from '../api/types.ts';

export type OutputType = ConsoleApiSchema<'ConsoleJob'>['output_type'];
export const OUTPUT_TYPES = Object.keys({
  json: true,
  txt: true,
  srt: true,
  vtt: true,
  docx: true,
  pdf: true,
} satisfies Record<OutputType, true>) as readonly OutputType[];
export const MODELS = ['zephyr'] as const;
export const TIERS = ['standard'] as const;

export const REDACTION_KINDS = ['email', 'phone', 'card', 'iban', 'ip', 'url', 'number'] as const;

export type RedactionKind = (typeof REDACTION_KINDS)[number];
export const MULTICHANNEL_MODES = ['auto', true, false] as const;

export type MultichannelMode = (typeof MULTICHANNEL_MODES)[number];

/** The options of a job as the form has them: texts of several lines instead of lists. */
export interface JobOptionsFormValues {
  model: string;
  output_type: OutputType;
  word_timestamps: boolean;
  speaker_labels: boolean;
  nltk: boolean;
  filler_words: boolean;
  redact: RedactionKind[];
  multichannel: MultichannelMode;
  /** Numbers as text; empty if unknown. */
  num_speakers: string;
  min_speakers: string;
  max_speakers: string;
  tier: string;
  /** Name of one of the account; empty for none. */
  vocabulary: string;
  /** One term a line. */
  terms: string;
  callback_url: string;
  /** `name=value`, one entry a line. */
  metadata: string;
}

/** The body of a request that creates a job, without the audio's size or URL. */
export interface JobOptionsBody {
  model: string;
  output_type: OutputType;
  word_timestamps: boolean;
  speaker_labels: boolean;
  nltk: boolean;
  filler_words: boolean;
  redact?: RedactionKind[];
  multichannel: MultichannelMode;
  /** A text that is no number is for the service to reject. */
  num_speakers?: number | string;
  min_speakers?: number | string;
  max_speakers?: number | string;
  tier: string;
  vocabulary?: string;
  custom_vocabulary?: string[];
  callback_url?: string;
  metadata?: Record<string, string>;
}

export const DEFAULT_JOB_OPTIONS_FORM_VALUES: JobOptionsFormValues = {
  model: 'zephyr',
  output_type: 'json',
  word_timestamps: true,
  speaker_labels: true,
  nltk: true,
  filler_words: true,
  redact: [],
  multichannel: 'auto',
  num_speakers: '',
  min_speakers: '',
  max_speakers: '',
  tier: 'standard',
  vocabulary: '',
  terms: '',
  callback_url: '',
  metadata: '',
};

export const SPEAKER_COUNT_OPTION_NAMES = ['num_speakers', 'min_speakers', 'max_speakers'] as const;

/** The entry of the metadata by which the console names a job. */
const FILE_NAME_ENTRY = 'file_name';
const MAX_METADATA_VALUE = 200;

/** @param fileName null for audio without one */
export function toJobOptionsBody(form: JobOptionsFormValues, fileName: string | null): JobOptionsBody {
  const { vocabulary, terms: lines, callback_url: callbackUrl, metadata, redact, ...rest } = form;
  const { num_speakers, min_speakers, max_speakers, ...options } = rest;
  const terms = splitNonEmptyLines(lines);
  const entries = {
    ...Object.fromEntries(parseMetadataEntries(metadata)),
    ...(fileName !== null && { [FILE_NAME_ENTRY]: toMetadataValue(fileName) }),
  };
  return {
    ...options,
    ...(options.speaker_labels && toSpeakerCounts({ num_speakers, min_speakers, max_speakers })),
    ...(redact.length > 0 && { redact }),
    ...(vocabulary !== '' && { vocabulary }),
    ...(terms.length > 0 && { custom_vocabulary: terms }),
    ...(callbackUrl.trim() !== '' && { callback_url: callbackUrl.trim() }),
    ...(Object.keys(entries).length > 0 && { metadata: entries }),
  };
}

type SpeakerCounts = Pick<JobOptionsFormValues, (typeof SPEAKER_COUNT_OPTION_NAMES)[number]>;

function toSpeakerCounts(counts: SpeakerCounts): Pick<JobOptionsBody, keyof SpeakerCounts> {
  const filled = SPEAKER_COUNT_OPTION_NAMES.map((name) => [name, counts[name].trim()] as const).filter(
    ([, text]) => text !== '',
  );
  return Object.fromEntries(
    filled.map(([name, text]) => [name, Number.isNaN(Number(text)) ? text : Number(text)]),
  );
}

/** The options of an earlier job, with the terms of its vocabulary as its own; what is missing or unknown has its default. */
export function toJobOptionsFormValues(
  options: Readonly<Record<string, unknown>>,
  metadata: Readonly<Record<string, string>> | null,
  callbackUrl: string | null,
): JobOptionsFormValues {
  const { custom_vocabulary: terms, redact } = options;
  const entries = Object.entries(metadata ?? {}).filter(([name]) => name !== FILE_NAME_ENTRY);
  const flag = (name: 'word_timestamps' | 'speaker_labels' | 'nltk' | 'filler_words') =>
    typeof options[name] === 'boolean' ? options[name] : DEFAULT_JOB_OPTIONS_FORM_VALUES[name];
  const count = (name: keyof SpeakerCounts) =>
    typeof options[name] === 'number' ? String(options[name]) : '';
  return {
    model: MODELS.find((each) => each === options['model']) ?? DEFAULT_JOB_OPTIONS_FORM_VALUES.model,
    output_type:
      OUTPUT_TYPES.find((each) => each === options['output_type']) ??
      DEFAULT_JOB_OPTIONS_FORM_VALUES.output_type,
    word_timestamps: flag('word_timestamps'),
    speaker_labels: flag('speaker_labels'),
    nltk: flag('nltk'),
    filler_words: flag('filler_words'),
    redact: REDACTION_KINDS.filter((kind) => Array.isArray(redact) && redact.includes(kind)),
    multichannel:
      MULTICHANNEL_MODES.find((each) => each === options['multichannel']) ??
      DEFAULT_JOB_OPTIONS_FORM_VALUES.multichannel,
    num_speakers: count('num_speakers'),
    min_speakers: count('min_speakers'),
    max_speakers: count('max_speakers'),
    tier: TIERS.find((each) => each === options['tier']) ?? DEFAULT_JOB_OPTIONS_FORM_VALUES.tier,
    vocabulary: '',
    terms: Array.isArray(terms) ? terms.map(String).join('\n') : '',
    callback_url: callbackUrl ?? '',
    metadata: entries.map(([name, value]) => `${name}=${value}`).join('\n'),
  };
}

/** Without empty ones. */
export function splitNonEmptyLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The first name that two lines have: the service would get one of them. Null if there is none. */
export function findRepeatedMetadataName(text: string): string | null {
  const names = parseMetadataEntries(text).map(([name]) => name);
  return names.find((name, index) => names.indexOf(name) < index) ?? null;
}

/** A line without `=` is a name with an empty value, so that the service can reject it by its name. */
function parseMetadataEntries(text: string): [name: string, value: string][] {
  return splitNonEmptyLines(text).map((line) => {
    const [name = '', ...value] = line.split('=');
    return [name.trim(), value.join('=').trim()];
  });
}

/** Metadata has no control characters and at most 200 characters. */
function toMetadataValue(text: string): string {
  return [...text.replaceAll(/[\p{Cc}\p{Cs}]/gu, '')].slice(0, MAX_METADATA_VALUE).join('');
}
