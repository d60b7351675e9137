/**
 * Figures of one machine: 2 cores (AMD EPYC), Node 20. `source` is where a reader finds how each was measured;
 * `docs/scaling.md` lists them. A unit test compares those of bench/README.md with its table.
 */
interface Figure {
  value: number;
  unit: string;
  source: string;
}

const BENCH = 'bench/README.md';
const CAPACITY = 'docs/operating/capacity.md';

export const MEASURED_CAPACITY_FIGURES = {
  pocketsphinxCpu: {
    value: 0.23,
    unit: 'CPU seconds for a second of clear dialogue; 0.40 for one real reader',
    source: CAPACITY,
  },
  processingCpu: {
    value: (268.0 - 25.5) / (540 * 60),
    unit: 'CPU seconds for a second of audio, everything but recognition',
    source: `${BENCH}, "600 minutes: CPU time, against 60"`,
  },
  createCpu: { value: 0.000_432, unit: 'CPU seconds of an API for a create', source: `${BENCH}, http` },
  readCpu: { value: 0.000_256, unit: 'CPU seconds of an API for reading a job', source: `${BENCH}, http` },
  createDatabaseCpu: {
    value: 0.000_484,
    unit: 'CPU seconds of Postgres for a create',
    source: `${BENCH}, http`,
  },
  readDatabaseCpu: {
    value: 0.000_118,
    unit: 'CPU seconds of Postgres for reading a job',
    source: `${BENCH}, http`,
  },
  jobApiCpu: {
    value: 0.002_17,
    unit: 'CPU seconds of an API for a job of one chunk, after its create',
    source: `${BENCH}, capacity`,
  },
  chunkApiCpu: {
    value: 0.000_43,
    unit: 'CPU seconds of an API for each further chunk',
    source: `${BENCH}, capacity`,
  },
  jobProcessorCpu: {
    value: 0.019,
    unit: 'CPU seconds of a processor for a job of one chunk, besides audio',
    source: `${BENCH}, capacity`,
  },
  chunkProcessorCpu: {
    value: 0.008_11,
    unit: 'CPU seconds of a processor for each further chunk',
    source: `${BENCH}, capacity`,
  },
  jobDatabaseCpuPostgres: {
    value: 0.012_17,
    unit: 'CPU seconds of Postgres for a job of one chunk, with the queues in Postgres',
    source: `${BENCH}, capacity`,
  },
  chunkDatabaseCpuPostgres: {
    value: 0.008_28,
    unit: 'CPU seconds of Postgres for each further chunk, with the queues in Postgres',
    source: `${BENCH}, capacity`,
  },
  jobDatabaseCpuRedis: {
    value: 0.009,
    unit: 'CPU seconds of Postgres and Redis for a job of one chunk, with the queues in Redis',
    source: `${BENCH}, capacity`,
  },
  chunkDatabaseCpuRedis: {
    value: 0.004_11,
    unit: 'CPU seconds of Postgres and Redis for each further chunk, with the queues in Redis',
    source: `${BENCH}, capacity`,
  },
  transcriptBytes: {
    value: 19_605_786 / 39_170,
    unit: 'bytes of a json transcript for a second of speech',
    source: `the document of 100,000 words of ${BENCH}, transcript`,
  },
} as const satisfies Record<string, Figure>;
