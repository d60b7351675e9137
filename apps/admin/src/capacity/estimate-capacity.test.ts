import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { computeMaxConnectionsPerProgram } from '../doctor/connection-checks.js';
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
    expect(processors.cores).toBeCloseTo((20 * 0.2375 + 0.0333 * (0.019 + 19 * 0.00811)) / 0.7, 1);
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
    expect(database.connections).toBe(3 * 12 + 5);
  });

  it('counts the connections of queues in Postgres, as many for each program as doctor says', () => {
    const { database } = estimateRequiredResources({ ...INPUT, hoursPerDay: 0.1, queue: 'postgres' });
    expect(database.connections).toBe(3 * computeMaxConnectionsPerProgram(12, true) + 5);
    expect(database.connections).toBe(3 * (12 + 10) + 5);
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
    expect(queues.database.cores / long.database.cores).toBeCloseTo(1.92, 1);
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
    ['jobApiCpu', 'over Postgres, a job of 1 chunk: CPU time of the API', 1e3],
    ['chunkApiCpu', 'over Postgres, each further chunk: CPU time of the API', 1e3],
    ['jobProcessorCpu', 'over Postgres, a job of 1 chunk: CPU time of the processor', 1e3],
    ['chunkProcessorCpu', 'over Postgres, each further chunk: CPU time of the processor', 1e3],
    ['jobDatabaseCpuPostgres', 'over Postgres, a job of 1 chunk: CPU time of the database', 1e3],
    ['chunkDatabaseCpuPostgres', 'over Postgres, each further chunk: CPU time of the database', 1e3],
    ['jobDatabaseCpuRedis', 'over Redis, a job of 1 chunk: CPU time of the database', 1e3],
    ['chunkDatabaseCpuRedis', 'over Redis, each further chunk: CPU time of the database', 1e3],
  ] as const)('%s is that of the benchmarks', (name, row, unitsPerSecond) => {
    expect(MEASURED_CAPACITY_FIGURES[name].value * unitsPerSecond).toBeCloseTo(read(row), 5);
  });

  it('are all listed with their sources in the page about scaling', () => {
    for (const name of Object.keys(MEASURED_CAPACITY_FIGURES)) expect(SCALING, name).toContain(`\`${name}\``);
  });

  it('give the numbers of the sizes in that page', () => {
    const estimate = (hoursPerDay: number, other: Partial<CapacityInput> = {}) =>
      estimateRequiredResources({ ...INPUT, hoursPerDay, ...other });
    const remote = { engine: 'openai', speed: 200 } as const;
    const [box, split] = [estimate(100), estimate(2_000)];
    const [many, fleet] = [estimate(20_000, remote), estimate(100_000, remote)];
    const short = estimate(100_000, { ...remote, queue: 'postgres', recordingMinutes: 0.5 });
    const { machines } = split.processors;
    for (const text of [
      `pocketsphinx: ${box.processors.cores} cores `,
      `pocketsphinx: ${split.processors.cores} cores on ${machines} machines, ${split.database.connections} connections`,
      `${many.recognisers} recognition servers, ${many.processors.cores} cores of processors, ${many.storage.upload_megabits_per_second} Mbit/s of uploads`,
      `${fleet.recognisers} recognition servers, ${fleet.processors.cores} cores of processors, ${fleet.database.cores} cores of Postgres and Redis for recordings of ten minutes (${short.database.cores} of Postgres alone for half a minute)`,
    ])
      expect(SCALING).toContain(text);
  });
});
