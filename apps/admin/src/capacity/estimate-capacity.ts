import { computeMaxConnectionsPerProgram } from '../doctor/connection-checks.js';
import { MEASURED_CAPACITY_FIGURES } from './measured-figures.js';

export const CAPACITY_ENGINES = ['pocketsphinx', 'sherpa', 'openai'] as const;
export const CAPACITY_QUEUE_BACKENDS = ['postgres', 'redis'] as const;

export interface CapacityInput {
  /** Hours of audio in a day, on average. */
  hoursPerDay: number;
  engine: (typeof CAPACITY_ENGINES)[number];
  queue: (typeof CAPACITY_QUEUE_BACKENDS)[number];
  /**
   * Seconds of audio that one core (pocketsphinx, sherpa) or one server (openai) recognises in a second. Null: as measured,
   * which was done with pocketsphinx only.
   */
  speed: number | null;
  recordingMinutes: number;
  /** How many times more arrives in the busiest hour than in a mean hour. */
  peakFactor: number;
  coresPerMachine: number;
  audioKilobitsPerSecond: number;
  /** Days for which transcripts are kept. */
  retentionDays: number;
  poolSize: number;
  /** In any currency. Null: unknown. */
  prices: { coreHour: number | null; recogniserHour: number | null; gigabyteMonth: number | null };
}

export interface RequiredResourcesEstimate {
  /** In the busiest hour. */
  peak: { audio_hours_per_hour: number; jobs_per_second: number; chunks_per_second: number };
  processors: { processes: number; cores: number; machines: number };
  /** Remote recognition servers. */
  recognisers: number;
  apis: { processes: number; cores: number };
  /** With Redis, if it has the queues. */
  database: { cores: number; connections: number };
  storage: { audio_gigabytes: number; transcript_gigabytes: number; upload_megabits_per_second: number };
  /** Null if a price that it needs was not given. */
  cost: { per_month: number; per_audio_hour: number } | null;
  /** What the figures do not say. */
  warnings: string[];
}

/** Audio of one chunk, the default of `CHUNK_SECONDS`. */
const CHUNK_SECONDS = 30;
/** Requests for the state of a job by a caller that polls. */
const READS_PER_JOB = 10;
/** Above it, waiting times grow steeply. */
const PROCESSOR_UTILISATION = 0.7;
/** APIs and database answer requests, so they need more room than work that may wait. */
const REQUEST_UTILISATION = 0.5;
/** One may be replaced while the other serves. */
const MIN_APIS = 2;
/** For operator commands. */
const SPARE_CONNECTIONS = 5;
const DEFAULT_MAX_CONNECTIONS = 100;
/** Each is a process of Postgres with some megabytes. */
const MANY_CONNECTIONS = 1_000;
/** The largest database that is easy to get; a larger one was never measured either. */
const MAX_DATABASE_CORES = 32;
const MONTH_DAYS = 365 / 12;

/** Computes what an installation needs. Whole processes, servers and connections are rounded up. */
export function estimateRequiredResources(input: CapacityInput): RequiredResourcesEstimate {
  const audioRate = (input.hoursPerDay / 24) * input.peakFactor;
  const jobRate = audioRate / (input.recordingMinutes * 60);
  const chunks = Math.ceil((input.recordingMinutes * 60) / CHUNK_SECONDS);
  const jobCost = estimateJobOverheadCpuByComponent(input.queue, chunks);
  const requestCost = estimateRequestCost();
  const processors = estimateProcessors(input, audioRate, jobRate * jobCost.processor);
  const recognisers =
    input.engine === 'openai' && input.speed !== null
      ? Math.ceil(audioRate / input.speed / PROCESSOR_UTILISATION)
      : 0;
  const apis = estimateApis(jobRate * (jobCost.api + requestCost.api));
  const database = {
    cores: round((jobRate * (jobCost.database + requestCost.database)) / REQUEST_UTILISATION),
    connections:
      (apis.processes + processors.processes) *
        computeMaxConnectionsPerProgram(input.poolSize, input.queue === 'postgres') +
      SPARE_CONNECTIONS,
  };
  const storage = estimateStorage(input, audioRate);
  const estimate = {
    peak: {
      audio_hours_per_hour: round(audioRate),
      jobs_per_second: round(jobRate),
      chunks_per_second: round(jobRate * chunks),
    },
    ...{ processors, recognisers, apis, database, storage },
  };
  return { ...estimate, cost: estimateCost(input, estimate), warnings: listWarnings(input, estimate) };
}

/**
 * CPU seconds for a job from its completion by the caller to its end, without decoding and recognition.
 * @param chunks of the job, from 1
 */
export function estimateJobOverheadCpuByComponent(
  queue: CapacityInput['queue'],
  chunks: number,
): Record<'api' | 'processor' | 'database', number> {
  const figures = MEASURED_CAPACITY_FIGURES;
  const [jobDatabase, chunkDatabase] =
    queue === 'redis'
      ? [figures.jobDatabaseCpuRedis, figures.chunkDatabaseCpuRedis]
      : [figures.jobDatabaseCpuPostgres, figures.chunkDatabaseCpuPostgres];
  const sumChunks = (job: { value: number }, chunk: { value: number }) =>
    job.value + chunk.value * (chunks - 1);
  return {
    api: sumChunks(figures.jobApiCpu, figures.chunkApiCpu),
    processor: sumChunks(figures.jobProcessorCpu, figures.chunkProcessorCpu),
    database: sumChunks(jobDatabase, chunkDatabase),
  };
}

/** CPU seconds for the create of a job and for reading its state. */
function estimateRequestCost(): Record<'api' | 'database', number> {
  const { createCpu, readCpu, createDatabaseCpu, readDatabaseCpu } = MEASURED_CAPACITY_FIGURES;
  return {
    api: createCpu.value + READS_PER_JOB * readCpu.value,
    database: createDatabaseCpu.value + READS_PER_JOB * readDatabaseCpu.value,
  };
}

/** @param jobCores cores that are busy with jobs, besides decoding and recognition */
function estimateProcessors(input: CapacityInput, audioRate: number, jobCores: number) {
  const cpuPerSecond =
    input.engine === 'openai'
      ? 0
      : input.speed
        ? 1 / input.speed
        : MEASURED_CAPACITY_FIGURES.pocketsphinxCpu.value;
  const cores =
    (audioRate * (cpuPerSecond + MEASURED_CAPACITY_FIGURES.processingCpu.value) + jobCores) /
    PROCESSOR_UTILISATION;
  const machines = Math.max(1, Math.ceil(cores / input.coresPerMachine));
  // JavaScript of one process runs on one core, however many its machine has.
  const processes = Math.max(machines, Math.ceil(jobCores / PROCESSOR_UTILISATION));
  return { processes, cores: round(cores), machines };
}

function estimateApis(busyCores: number) {
  const cores = busyCores / REQUEST_UTILISATION;
  return { processes: Math.max(MIN_APIS, Math.ceil(cores)), cores: round(cores) };
}

function estimateStorage(input: CapacityInput, audioRate: number) {
  const bytesPerSecond = (input.audioKilobitsPerSecond * 1000) / 8;
  const audioSecondsPerDay = input.hoursPerDay * 3600;
  return {
    // Audio is deleted with the end of its job: what arrives in the busiest hour is more than waits at a time.
    audio_gigabytes: round((audioRate * 3600 * bytesPerSecond) / 1e9),
    transcript_gigabytes: round(
      (audioSecondsPerDay * input.retentionDays * MEASURED_CAPACITY_FIGURES.transcriptBytes.value) / 1e9,
    ),
    upload_megabits_per_second: round((audioRate * input.audioKilobitsPerSecond) / 1000),
  };
}

function estimateCost(
  { prices, engine, hoursPerDay, coresPerMachine }: CapacityInput,
  { processors, apis, database, recognisers, storage }: Omit<RequiredResourcesEstimate, 'cost' | 'warnings'>,
): RequiredResourcesEstimate['cost'] {
  const { coreHour, recogniserHour, gigabyteMonth } = prices;
  if (coreHour === null || gigabyteMonth === null || (engine === 'openai' && recogniserHour === null))
    return null;
  const cores = processors.machines * coresPerMachine + apis.processes + Math.ceil(database.cores);
  const perHour = cores * coreHour + recognisers * (recogniserHour ?? 0);
  const perMonth =
    perHour * 24 * MONTH_DAYS + (storage.audio_gigabytes + storage.transcript_gigabytes) * gigabyteMonth;
  return { per_month: round(perMonth), per_audio_hour: round(perMonth / (hoursPerDay * MONTH_DAYS)) };
}

function listWarnings(
  { engine, queue, retentionDays }: CapacityInput,
  { database }: Omit<RequiredResourcesEstimate, 'cost' | 'warnings'>,
): string[] {
  return [
    ...(engine === 'pocketsphinx' ? [] : [`--speed is yours: ${engine} was not measured by this project.`]),
    ...(database.connections > DEFAULT_MAX_CONNECTIONS
      ? [`Postgres accepts ${DEFAULT_MAX_CONNECTIONS} connections by default: raise max_connections.`]
      : []),
    ...(database.connections > MANY_CONNECTIONS
      ? ['Fewer and larger machines take fewer connections: raise --cores-per-machine.']
      : []),
    ...(queue === 'postgres' && database.cores > 4
      ? ['The queues in Postgres use more of it than Redis would: compare --queue redis.']
      : []),
    ...(database.cores > MAX_DATABASE_CORES
      ? ['No single database was measured at this rate: divide the load over several installations.']
      : []),
    ...(retentionDays === 0
      ? ['Transcripts are kept for ever: --retention-days 0 counts none of them.']
      : []),
    'Rows of the database and backups are not counted in the storage.',
  ];
}

/** Three digits, because nothing here is known better. */
function round(value: number): number {
  return Number(value.toPrecision(3));
}
