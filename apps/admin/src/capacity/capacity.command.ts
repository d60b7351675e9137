import { Injectable } from '@nestjs/common';
import { Command } from 'nest-commander';
import { OperatorCommand, WithOptions } from '../operator-command.js';
import { parseChoice } from '../option-values.js';
import { CommandError, type JsonOption, printResult } from '../output.js';
import {
  CAPACITY_ENGINES,
  CAPACITY_QUEUE_BACKENDS,
  type RequiredResourcesEstimate,
  type CapacityInput,
  estimateRequiredResources,
} from './estimate-capacity.js';
import { MEASURED_CAPACITY_FIGURES } from './measured-figures.js';

interface CapacityOptions extends JsonOption {
  hoursPerDay?: number;
  engine?: CapacityInput['engine'];
  queue?: CapacityInput['queue'];
  speed?: number;
  recordingMinutes?: number;
  peakFactor?: number;
  coresPerMachine?: number;
  audioKbps?: number;
  retentionDays?: number;
  poolSize?: number;
  corePrice?: number;
  recogniserPrice?: number;
  storagePrice?: number;
}

/** @returns a parser of numbers in these bounds, whose error names the option */
function numberFrom(min: number, max: number) {
  return (text: string, option: string): number => {
    const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max))
      throw new CommandError(`${option} takes a number from ${min} to ${max}.`);
    return value;
  };
}

@Injectable()
@Command({ name: 'capacity', description: 'estimate what an installation needs for an amount of audio' })
@WithOptions(
  {
    flags: '--hours-per-day <n>',
    description: 'hours of audio in a day',
    parse: numberFrom(0.1, 10_000_000),
  },
  {
    flags: '--engine <name>',
    description: `recogniser: ${CAPACITY_ENGINES.join(', ')}`,
    parse: (text, option) => parseChoice(text, option, CAPACITY_ENGINES),
  },
  {
    flags: '--speed <n>',
    description: 'seconds of audio that one core, or with openai one server, recognises in a second',
    parse: numberFrom(0.01, 10_000),
  },
  {
    flags: '--queue <name>',
    description: `where the queues are: ${CAPACITY_QUEUE_BACKENDS.join(', ')} (default redis)`,
    parse: (text, option) => parseChoice(text, option, CAPACITY_QUEUE_BACKENDS),
  },
  {
    flags: '--recording-minutes <n>',
    description: 'length of a recording (default 10)',
    parse: numberFrom(0.1, 2880),
  },
  {
    flags: '--peak-factor <n>',
    description: 'busiest hour, relative to a mean hour (default 2)',
    parse: numberFrom(1, 24),
  },
  {
    flags: '--cores-per-machine <n>',
    description: 'cores of a machine that transcribes (default 8)',
    parse: numberFrom(1, 1024),
  },
  {
    flags: '--audio-kbps <n>',
    description: 'bit rate of the audio (default 128)',
    parse: numberFrom(1, 20_000),
  },
  {
    flags: '--retention-days <n>',
    description: 'days for which transcripts are kept (default 30)',
    parse: numberFrom(0, 36_500),
  },
  { flags: '--pool-size <n>', description: 'DATABASE_POOL_SIZE (default 12)', parse: numberFrom(8, 500) },
  { flags: '--core-price <n>', description: 'price of a core for an hour', parse: numberFrom(0, 1000) },
  {
    flags: '--recogniser-price <n>',
    description: 'price of a recognition server for an hour',
    parse: numberFrom(0, 10_000),
  },
  {
    flags: '--storage-price <n>',
    description: 'price of a gigabyte for a month',
    parse: numberFrom(0, 1000),
  },
)
export class CapacityCommand extends OperatorCommand {
  async run(_: string[], options: CapacityOptions): Promise<void> {
    const input = buildInput(options);
    const estimate = estimateRequiredResources(input);
    printResult(options, { input, estimate, figures: MEASURED_CAPACITY_FIGURES }, () =>
      formatEstimate(input, estimate),
    );
  }
}

/** @throws CommandError that names a missing option */
function buildInput(options: CapacityOptions): CapacityInput {
  const { hoursPerDay, engine, speed = null } = options;
  if (hoursPerDay === undefined) throw new CommandError('--hours-per-day is missing.');
  if (engine === undefined) throw new CommandError(`--engine is missing: ${CAPACITY_ENGINES.join(', ')}.`);
  if (engine !== 'pocketsphinx' && speed === null)
    throw new CommandError(
      `--speed is missing: ${engine} was not measured. ` +
        (engine === 'sherpa'
          ? '`models check` measures it on this machine.'
          : 'Divide the length of a recording by the time that your server takes, times its concurrent requests.'),
    );
  return {
    ...{ hoursPerDay, engine, speed },
    queue: options.queue ?? 'redis',
    recordingMinutes: options.recordingMinutes ?? 10,
    peakFactor: options.peakFactor ?? 2,
    coresPerMachine: options.coresPerMachine ?? 8,
    audioKilobitsPerSecond: options.audioKbps ?? 128,
    retentionDays: options.retentionDays ?? 30,
    poolSize: options.poolSize ?? 12,
    prices: {
      coreHour: options.corePrice ?? null,
      recogniserHour: options.recogniserPrice ?? null,
      gigabyteMonth: options.storagePrice ?? null,
    },
  };
}

function formatEstimate(input: CapacityInput, estimate: RequiredResourcesEstimate): string {
  const { peak, processors, recognisers, apis, database, storage, cost, warnings } = estimate;
  const lines: [string, string][] = [
    ['busiest hour', `${peak.audio_hours_per_hour} hours of audio, ${peak.jobs_per_second} jobs a second`],
    [
      'processors',
      `${processors.processes}, on ${count(processors.machines, 'machine')} with ${count(input.coresPerMachine, 'core')} (${processors.cores} cores are needed)`,
    ],
    ...(input.engine === 'openai' ? [['recognition servers', String(recognisers)] as [string, string]] : []),
    ['APIs', `${apis.processes} (${apis.cores} cores are needed)`],
    [
      input.queue === 'redis' ? 'Postgres, Redis' : 'Postgres',
      `${database.cores} cores, ${database.connections} connections`,
    ],
    ['uploads', `${storage.upload_megabits_per_second} Mbit/s`],
    ['audio', `${storage.audio_gigabytes} GB at most, deleted with the end of its job`],
    ['transcripts', `${storage.transcript_gigabytes} GB after ${input.retentionDays} days`],
    [
      'cost',
      cost === null
        ? `give --core-price, --storage-price${input.engine === 'openai' ? ' and --recogniser-price' : ''}`
        : `${cost.per_month} a month, ${cost.per_audio_hour} for an hour of audio`,
    ],
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return [...lines.map(([name, text]) => `${name.padEnd(width)}  ${text}`), '', ...warnings].join('\n');
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
