import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CapacityInput, estimateRequiredResources } from './estimate-capacity.js';
import { MEASURED_CAPACITY_FIGURES } from './measured-figures.js';

const BENCHMARKS = readFileSync(new URL('../../../../bench/README.md', import.meta.url), 'utf8');
const SCALING = readFileSync(new URL('../../../../docs/scaling.md', import.meta.url), 'utf8');

const INPUT: CapacityInput = {
  ...{ hoursPerDay: 240, engine: 'pocketsphinx', queue: 'redis', speed: null },
  ...{ recordingMinutes: 10, peakFactor: 2, coresPerMachine: 8, audioKilobitsPerSecond: 128 },
  ...{ retentionDays: 30, poolSize: 12 },
  prices: { coreHour: null, recogniserHour: null, gigabyteMonth: null },
};
const PRICES = { coreHour: 0.04, recogniserHour: 1.5, gigabyteMonth: 0.02 };

describe('the capacity of an installation', () => {
  it('is computed for the busiest hour', () => {
    const { peak, processors } = estimateRequiredResources(INPUT);
    // 10 hours an hour on average, of which recognition takes 0.23 of a core and the rest 0.0075.
    expect(peak).toEqual({ audio_hours_per_hour: 20, jobs_per_second: 0.0333, chunks_per_second: 0.667 });
    expect(processors.cores).toBeCloseTo((20 * 0.2375 + 0.0333 * 0.0274 * (1 + 19 * 0.26)) / 0.7, 1);
    expect(processors).toMatchObject({ machines: 1, processes: 1 });
  });

  it('grows in proportion to the audio', () => {
    const one = estimateRequiredResources({ ...INPUT, hoursPerDay: 10_000 });
    const ten = estimateRequiredResources({ ...INPUT, hoursPerDay: 100_000 });
    for (const read of [
      ({ processors }: typeof one) => processors.cores,
      ({ apis }: typeof one) => apis.cores,
      ({ database }: typeof one) => database.cores,
      ({ storage }: typeof one) => storage.transcript_gigabytes,
    ])
      expect(read(ten) / read(one)).toBeCloseTo(10, 1);
  });

  it('has two APIs and one processor for the least', () => {
    const { apis, processors, database } = estimateRequiredResources({ ...INPUT, hoursPerDay: 0.1 });
    expect([apis.processes, processors.processes]).toEqual([2, 1]);
    expect(database.connections).toBe(3 * 12 + 2 + 5);
  });

  it('has recognition servers instead of cores with a remote engine', () => {
    const local = estimateRequiredResources({ ...INPUT, engine: 'sherpa', speed: 10, hoursPerDay: 10_000 });
    const remote = estimateRequiredResources({ ...INPUT, engine: 'openai', speed: 100, hoursPerDay: 10_000 });
    expect([local.recognisers, remote.recognisers]).toEqual([0, Math.ceil(833.33 / 100 / 0.7)]);
    expect(remote.processors.cores).toBeLessThan(local.processors.cores / 5);
  });

  it('needs more of the database with short recordings, and with its own queues', () => {
    const long = estimateRequiredResources({ ...INPUT, hoursPerDay: 10_000 });
    const short = estimateRequiredResources({ ...INPUT, hoursPerDay: 10_000, recordingMinutes: 0.5 });
    const queues = estimateRequiredResources({ ...INPUT, hoursPerDay: 10_000, queue: 'postgres' });
    expect(short.database.cores).toBeGreaterThan(2 * long.database.cores);
    expect(queues.database.cores).toBeGreaterThan(2 * long.database.cores);
  });

  it('has a cost if all prices that it needs are known', () => {
    expect(estimateRequiredResources(INPUT).cost).toBeNull();
    const { cost } = estimateRequiredResources({ ...INPUT, prices: PRICES });
    expect(cost?.per_audio_hour).toBeCloseTo((cost?.per_month ?? 0) / (240 * (365 / 12)), 3);
    const openai = { ...INPUT, engine: 'openai', speed: 100 } as const;
    expect(
      estimateRequiredResources({ ...openai, prices: { ...PRICES, recogniserHour: null } }).cost,
    ).toBeNull();
    expect(estimateRequiredResources({ ...openai, prices: PRICES }).cost).not.toBeNull();
  });

  it('warns of connections, of a database that nobody measured, and of figures that are not measured', () => {
    const { warnings } = estimateRequiredResources({
      ...{ ...INPUT, engine: 'sherpa', speed: 5, queue: 'postgres' },
      ...{ hoursPerDay: 1_000_000, retentionDays: 0 },
    });
    for (const text of [
      'max_connections',
      'several installations',
      'was not measured',
      '--queue redis',
      'for ever',
    ])
      expect(
        warnings.some((warning) => warning.includes(text)),
        text,
      ).toBe(true);
  });
});

describe('the figures of the estimate', () => {
  const read = (name: string): number => {
    const [, text = ''] = new RegExp(`^\\| ${name} +\\| ([0-9.]+)`, 'm').exec(BENCHMARKS) ?? [];
    return Number(text);
  };
  it.each([
    ['createCpu', 'create: CPU time of the server', 1e6],
    ['readCpu', 'GET a job: CPU time of the server', 1e6],
    ['createDatabaseCpu', 'create: CPU time of the database', 1e6],
    ['readDatabaseCpu', 'GET a job: CPU time of the database', 1e6],
    ['jobApiCpu', 'pipeline over Postgres: CPU time of a job, of the api', 1e3],
    ['jobProcessorCpu', 'pipeline over Postgres: CPU time of a job, of the processor', 1e3],
    ['jobDatabaseCpuPostgres', 'pipeline over Postgres: CPU time of a job, of the database', 1e3],
    ['jobDatabaseCpuRedis', 'pipeline over Redis: CPU time of a job, of the database and Redis', 1e3],
  ] as const)('%s is that of the benchmarks', (name, row, unitsPerSecond) => {
    expect(MEASURED_CAPACITY_FIGURES[name].value * unitsPerSecond).toBeCloseTo(read(row), 5);
  });

  it('are all listed with their sources in the page about scaling', () => {
    for (const name of Object.keys(MEASURED_CAPACITY_FIGURES)) expect(SCALING, name).toContain(`\`${name}\``);
  });
});
