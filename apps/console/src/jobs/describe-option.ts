import { texts } from '../texts/index.ts';

const LABELS: Record<string, string> = {
  output_type: texts.transcribe.outputType,
  model: texts.transcribe.model,
  tier: texts.transcribe.tier,
  word_timestamps: texts.transcribe.wordTimestamps,
  speaker_labels: texts.transcribe.speakerLabels,
  nltk: texts.transcribe.nltk,
  filler_words: texts.transcribe.fillerWords,
  redact: texts.transcribe.redact,
  multichannel: texts.transcribe.multichannel,
  num_speakers: texts.transcribe.speakerCounts.num_speakers,
  min_speakers: texts.transcribe.speakerCounts.min_speakers,
  max_speakers: texts.transcribe.speakerCounts.max_speakers,
  custom_vocabulary: texts.transcribe.vocabulary,
  callback_url: texts.transcribe.callbackUrl,
};

/** The options of a job in the order of the page Transcribe; the database does not keep the order. */
export function sortOptions(options: Readonly<Record<string, unknown>>): [name: string, value: unknown][] {
  const names = Object.keys(LABELS);
  const rank = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  return Object.entries(options).toSorted(([a], [b]) => rank(a) - rank(b));
}

/** The name of an option on the page Transcribe, and its value as text. */
export function describeOption(name: string, value: unknown): [label: string, value: string] {
  return [LABELS[name] ?? name, describeValue(value)];
}

function describeValue(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return texts.job.none;
  if (typeof value === 'boolean') return value ? texts.job.yes : texts.job.no;
  if (Array.isArray(value)) return value.map(String).join(', ');
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
