import { bytes, integer, variable } from '../variable.js';

export const limits = {
  uploadBytes: variable('MAX_UPLOAD_BYTES', bytes().default(5 * 2 ** 30), 'Largest file of a single upload.'),
  multipartBytes: variable(
    'MAX_MULTIPART_BYTES',
    bytes().default(10 * 2 ** 30),
    'Largest file of a multipart upload.',
  ),
  streamBytes: variable(
    'MAX_STREAM_BYTES',
    bytes().default(200e6),
    'Largest body of the one-shot streaming route.',
  ),
  uploadSeconds: variable(
    'UPLOAD_URL_SECONDS',
    integer(10, 604_800).default(3600),
    'Life of a single presigned upload address.',
  ),
  multipartSeconds: variable(
    'MULTIPART_URL_SECONDS',
    integer(10, 604_800).default(86_400),
    'Life of the presigned part addresses of a multipart upload.',
  ),
  downloadSeconds: variable(
    'DOWNLOAD_URL_SECONDS',
    integer(10, 604_800).default(604_800),
    'Life of a presigned download address; object stores allow seven days at most.',
  ),
  transcriptDays: variable(
    'TRANSCRIPT_RETENTION_DAYS',
    integer(0, 36_500).default(0),
    'Days after which the transcript of a completed job is deleted; 0 keeps it for ever. The job stays, with `download_url` null.',
  ),
};

export const pipeline = {
  preprocessConcurrency: variable(
    'PREPROCESS_CONCURRENCY',
    integer(1, 64).default(1),
    'Files that one processor decodes and cuts at once.',
  ),
  chunkConcurrency: variable(
    'CHUNK_CONCURRENCY',
    integer(1, 256).optional(),
    'Chunks that one processor transcribes at once. Default: the number of cores.',
  ),
  aggregationConcurrency: variable(
    'AGGREGATION_CONCURRENCY',
    integer(1, 64).default(2),
    'Transcripts that one processor puts together at once.',
  ),
  chunkSeconds: variable(
    'CHUNK_SECONDS',
    integer(5, 600).default(30),
    'Length of audio that a chunk aims at.',
  ),
  chunkMaxSeconds: variable(
    'CHUNK_MAX_SECONDS',
    integer(10, 900).default(60),
    'Length that no chunk exceeds, pause or none.',
  ),
  smallFileBytes: variable(
    'SMALL_FILE_BYTES',
    bytes().default(2 ** 20),
    'Files up to this size report no `preprocess` step.',
  ),
  leaseSeconds: variable(
    'LEASE_SECONDS',
    integer(3, 600).default(15),
    'Time after which a stage whose worker fell silent is given to another.',
  ),
  sweepSeconds: variable(
    'SWEEP_SECONDS',
    integer(1, 600).default(2),
    'Seconds between two looks for work that a crash left behind.',
  ),
  orphanSweepSeconds: variable(
    'ORPHAN_SWEEP_SECONDS',
    integer(1, 600).default(300),
    'Seconds between two looks for stored bytes that belong to no job. They are deleted after two or three looks, and `ORPHAN_AGE_SECONDS`.',
  ),
  orphanAgeSeconds: variable(
    'ORPHAN_AGE_SECONDS',
    integer(1, 1200).default(600),
    'Time for which stored bytes must have been seen to belong to no job, however often is looked: a request may still be making it.',
  ),
  redeliverSeconds: variable(
    'REDELIVER_SECONDS',
    integer(5, 3600).default(30),
    'A stage that nobody took up for this long is delivered once more (the queue may have lost it).',
  ),
  stageSeconds: variable(
    'STAGE_SECONDS',
    integer(60, 86_400).default(7_200),
    'Time that one start of a stage may take, fetching of an `audio_url` included, so more than `AUDIO_FETCH_SECONDS`; then it is given to another, counted as failed.',
  ),
  maxAttempts: variable(
    'MAX_ATTEMPTS',
    integer(1, 20).default(3),
    'Starts of one stage before the job fails.',
  ),
  deadlineSeconds: variable(
    'JOB_DEADLINE_SECONDS',
    integer(60).default(86_400),
    'A queued job that is not finished by then fails.',
  ),
};

export const billing = {
  creditsPerSecond: variable(
    'CREDITS_PER_SECOND',
    integer(0, 1_000_000).default(1),
    'Price of one started second of audio, tier `standard`.',
  ),
  developmentCredits: variable(
    'DEVELOPMENT_CREDITS',
    integer(0).default(10_000_000),
    'Credits of the development organisation made on first start.',
  ),
};
