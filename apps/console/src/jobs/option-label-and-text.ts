import { texts } from '../texts/index.ts';

/** As the page Transcribe has them. */
export const OPTION_LABELS: Readonly<Record<string, string>> = {
  output_type: texts.transcribe.outputType,
  model: texts.transcribe.model,
  tier: texts.transcribe.tier,
  word_timestamps: texts.transcribe.wordTimestamps,
  speaker_labels: texts.transcribe.speakerLabels,
  nltk: texts.transcribe.nltk,
  filler_words: texts.transcribe.fillerWords,
  redact: texts.transcribe.redact,
  multichannel: texts.transcribe.multichannel,
  num_speakers: texts.job.speakerCounts.num_speakers,
  min_speakers: texts.job.speakerCounts.min_speakers,
  max_speakers: texts.job.speakerCounts.max_speakers,
  vocabulary: texts.transcribe.savedVocabulary,
  custom_vocabulary: texts.transcribe.terms,
  callback_url: texts.transcribe.callbackUrl,
  metadata: texts.transcribe.metadata,
};

const VALUES: Record<string, Map<string, string>> = {
  multichannel: new Map(Object.entries(texts.transcribe.multichannelModes)),
  redact: new Map(Object.entries(texts.transcribe.redactionKinds)),
};

/** The options of a job in the order of the page Transcribe; the database does not keep the order. */
export function toOptionEntriesInFormOrder(
  options: Readonly<Record<string, unknown>>,
): [name: string, value: unknown][] {
  const names = Object.keys(OPTION_LABELS);
  const rank = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  return Object.entries(options).toSorted(([a], [b]) => rank(a) - rank(b));
}

/** The name of an option on the page Transcribe, and its value as text. */
export function toOptionLabelAndText(name: string, value: unknown): [label: string, value: string] {
  return [OPTION_LABELS[name] ?? name, describeValue(value, VALUES[name])];
}

/** @param names of values, as the page Transcribe has them */
function describeValue(value: unknown, names?: ReadonlyMap<string, string>): string {
  if (value === null) return texts.job.notGiven;
  if (Array.isArray(value) && value.length === 0) return texts.job.none;
  if (Array.isArray(value)) return value.map((each) => describeValue(each, names)).join(', ');
  const name =
    typeof value === 'string' || typeof value === 'boolean' ? names?.get(String(value)) : undefined;
  if (name !== undefined) return name;
  if (typeof value === 'boolean') return value ? texts.job.yes : texts.job.no;
  if (Array.isArray(value)) return value.map(String).join(', ');
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
