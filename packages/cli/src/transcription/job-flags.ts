import type { JobOptions, OutputType } from 'zephyr-client';
import { getStringOption, getStringListOption, type OptionSpec, type OptionValues } from '../command.js';
import { UsageError } from '../errors.js';

export const CLI_TRANSCRIPT_FORMATS = Object.keys({
  json: true,
  txt: true,
  srt: true,
  vtt: true,
  docx: true,
  pdf: true,
} satisfies Record<OutputType, true>) as readonly OutputType[];
const MULTICHANNEL = ['auto', 'true', 'false'] as const;

/** The service has its own limit, and names the field. */
const MAX_SPEAKERS = 1000;
const SPEAKER_COUNTS = [
  ['speakers', 'num_speakers'],
  ['min-speakers', 'min_speakers'],
  ['max-speakers', 'max_speakers'],
] as const;

export const JOB_FLAGS_WITHOUT_SPEAKERS: Record<string, OptionSpec> = {
  'no-word-times': { type: 'boolean', help: 'leave out the times of words (json)' },
  'no-punctuation': { type: 'boolean', help: 'leave out punctuation' },
  'no-filler-words': { type: 'boolean', help: 'leave out hesitations such as "um"' },
  redact: { type: 'string', value: 'KINDS', help: 'replace email,phone,card,iban,ip,url,number by marks' },
  term: { type: 'string', multiple: true, value: 'TERM', help: 'a term to expect; repeat it for more' },
  vocabulary: { type: 'string', value: 'NAME', help: 'a vocabulary of the account' },
  multichannel: {
    type: 'string',
    value: 'WHEN',
    choices: MULTICHANNEL,
    help: 'transcribe two channels apart: auto, true or false',
  },
  metadata: {
    type: 'string',
    multiple: true,
    value: 'KEY=VALUE',
    help: 'a string of your own; repeat it for more',
  },
  'callback-url': { type: 'string', value: 'URL', help: 'send a webhook when a job has ended' },
};

/** The options of a job, for commands that make jobs. */
export const JOB_FLAGS: Record<string, OptionSpec> = {
  'no-speakers': { type: 'boolean', help: 'do not tell speakers apart' },
  speakers: { type: 'string', value: 'N', help: 'how many speakers there are' },
  'min-speakers': { type: 'string', value: 'N', help: 'the least number of speakers' },
  'max-speakers': { type: 'string', value: 'N', help: 'the greatest number of speakers' },
  ...JOB_FLAGS_WITHOUT_SPEAKERS,
};

export const FORMAT_FLAG: OptionSpec = {
  type: 'string',
  short: 'f',
  value: 'FORMAT',
  choices: CLI_TRANSCRIPT_FORMATS,
  help: `${CLI_TRANSCRIPT_FORMATS.slice(0, -1).join(', ')} or ${CLI_TRANSCRIPT_FORMATS.at(-1)} (default txt)`,
};

/** @throws UsageError */
export function parseFormatFlag(options: OptionValues): OutputType {
  const format = getStringOption(options, 'format') ?? 'txt';
  return requireChoice('--format', format, CLI_TRANSCRIPT_FORMATS);
}

/** @throws UsageError */
export function parseJobFlags(options: OptionValues): JobOptions {
  const multichannel = getStringOption(options, 'multichannel');
  const chosen =
    multichannel === undefined ? undefined : requireChoice('--multichannel', multichannel, MULTICHANNEL);
  const terms = getStringListOption(options, 'term');
  const metadata = getStringListOption(options, 'metadata').map(parseMetadataEntry);
  const redact = getStringOption(options, 'redact')
    ?.split(',')
    .map((kind) => kind.trim()) as JobOptions['redact'];
  const counts = SPEAKER_COUNTS.filter(([flag]) => options[flag] !== undefined).map(
    ([flag, name]) => [name, parseCountFlag(options, flag, 0, MAX_SPEAKERS)] as const,
  );
  const vocabulary = getStringOption(options, 'vocabulary');
  const callbackUrl = getStringOption(options, 'callback-url');
  return {
    ...(options['no-speakers'] === true && { speaker_labels: false }),
    ...(options['no-word-times'] === true && { word_timestamps: false }),
    ...(options['no-punctuation'] === true && { nltk: false }),
    ...(options['no-filler-words'] === true && { filler_words: false }),
    ...Object.fromEntries(counts),
    ...(redact && { redact }),
    ...(terms.length > 0 && { custom_vocabulary: terms }),
    ...(vocabulary !== undefined && { vocabulary }),
    ...(chosen !== undefined && {
      multichannel: (chosen === 'auto' ? chosen : chosen === 'true') as JobOptions['multichannel'],
    }),
    ...(metadata.length > 0 && { metadata: Object.fromEntries(metadata) }),
    ...(callbackUrl !== undefined && { callback_url: callbackUrl }),
  } as JobOptions;
}

export function parseMetadataEntry(text: string): [string, string] {
  const equals = text.indexOf('=');
  if (equals < 1) throw new UsageError(`--metadata ${text}: write KEY=VALUE.`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}

export function requireChoice<T extends string>(option: string, value: string, choices: readonly T[]): T {
  const chosen = choices.find((each) => each === value);
  if (chosen === undefined) throw new UsageError(`${option} ${value}: must be one of ${choices.join(', ')}.`);
  return chosen;
}

/** @throws UsageError */
export function parseCountFlag(options: OptionValues, name: string, fallback: number, max: number): number {
  const text = getStringOption(options, name);
  if (text === undefined) return fallback;
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= max) return count;
  throw new UsageError(`--${name} ${text}: must be a number from 1 to ${max}.`);
}
