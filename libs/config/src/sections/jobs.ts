import {
  createByteSizeSchema,
  createIntegerSchema,
  declareEnvVariable,
  withFormerVariableName,
} from '../variable.js';

/** What S3 and the file store take in one PUT. */
const MAX_PUT_BYTES = 5 * 2 ** 30;

export const limitAndLifetimeEnvVariables = {
  uploadBytes: declareEnvVariable(
    'MAX_UPLOAD_BYTES',
    createByteSizeSchema()
      .refine((bytes) => bytes <= MAX_PUT_BYTES, 'must be at most 5GiB, the largest PUT of an object store')
      .default(MAX_PUT_BYTES),
    'Largest file of a single upload, in bytes. At most 5 GiB, which is what object stores take in one PUT; larger files are uploaded in parts.',
  ),
  multipartBytes: declareEnvVariable(
    'MAX_MULTIPART_BYTES',
    createByteSizeSchema().default(10 * 2 ** 30),
    'Largest file of a multipart upload, in bytes.',
  ),
  audioBodyBytes: withFormerVariableName(
    'MAX_STREAM_BYTES',
    declareEnvVariable(
      'MAX_AUDIO_BODY_BYTES',
      createByteSizeSchema().default(200e6),
      'Largest audio body of `POST /transcribe` and `POST /v1/audio/transcriptions`, in bytes.',
    ),
  ),
  uploadSeconds: declareEnvVariable(
    'UPLOAD_URL_SECONDS',
    createIntegerSchema(10, 604_800).default(3600),
    'Seconds for which the signed URL of a single upload is valid.',
  ),
  multipartSeconds: declareEnvVariable(
    'MULTIPART_URL_SECONDS',
    createIntegerSchema(10, 604_800).default(86_400),
    'Seconds for which the signed part URLs of a multipart upload are valid.',
  ),
  downloadSeconds: declareEnvVariable(
    'DOWNLOAD_URL_SECONDS',
    createIntegerSchema(10, 604_800).default(604_800),
    'Seconds for which a signed download URL is valid. Object stores allow at most seven days.',
  ),
  transcriptDays: declareEnvVariable(
    'TRANSCRIPT_RETENTION_DAYS',
    createIntegerSchema(0, 36_500).default(0),
    'Days after which the transcript of a completed job is deleted. The job itself stays, with `download_url` null. 0: transcripts are kept for ever. Accounts may choose a shorter time.',
  ),
  jobDays: declareEnvVariable(
    'JOB_RETENTION_DAYS',
    createIntegerSchema(0, 36_500).default(0),
    'Days after its end when a job is deleted, with its transcript, events and webhook deliveries. The ledger of credits stays. 0: jobs are kept for ever.',
  ),
  jobDetailDays: declareEnvVariable(
    'JOB_DETAIL_RETENTION_DAYS',
    createIntegerSchema(1, 36_500).default(7),
    'Days after the end of a job when its stages and all its events but the last are deleted. Streams then send the last event only.',
  ),
  uploadLifetimeSeconds: declareEnvVariable(
    'UPLOAD_LIFETIME_SECONDS',
    createIntegerSchema(60, 31_536_000).default(172_800),
    'Seconds after the creation of a job in which `POST /upload/progress` can keep its upload open beyond the expiry of its URLs.',
  ),
};

/** Each is for one account and its jobs that have not ended; `accounts quotas` sets others for an account. */
export const quotaEnvVariables = {
  pendingUploads: declareEnvVariable(
    'MAX_PENDING_UPLOADS_PER_ACCOUNT',
    createIntegerSchema(1).default(10_000),
    'Jobs of one account that wait for their upload. Above it: 429, as with the other quotas.',
  ),
  pendingBytes: declareEnvVariable(
    'MAX_PENDING_BYTES_PER_ACCOUNT',
    createByteSizeSchema().default(200 * 2 ** 30),
    'Bytes for which the upload URLs of these jobs are signed. That of a single upload is signed for twice its `file_size`, at least for 64 MiB more than it, and at most for `MAX_UPLOAD_BYTES`; that of each part of a multipart upload for `part_size`. No upload counts more than `MAX_MULTIPART_BYTES`.',
  ),
  storedBytes: declareEnvVariable(
    'MAX_STORED_AUDIO_BYTES_PER_ACCOUNT',
    createByteSizeSchema().default(200 * 2 ** 30),
    'Bytes of stored audio of one account that is not processed yet, with those for which the URL of the next upload is signed. At that many, its files behind an `audio_url` are not fetched yet.',
  ),
  vocabularyBytes: declareEnvVariable(
    'MAX_VOCABULARY_BYTES_PER_ACCOUNT',
    createByteSizeSchema().default(64 * 2 ** 20),
    'Bytes of `custom_vocabulary` of the open jobs of one account, as JSON.',
  ),
};

export const pipelineEnvVariables = {
  fetchConcurrency: declareEnvVariable(
    'FETCH_CONCURRENCY',
    createIntegerSchema(1, 256).default(8),
    'Files that one processor fetches from an `audio_url` at the same time. With a bucket, each can use 24 MiB of memory.',
  ),
  preprocessConcurrency: declareEnvVariable(
    'PREPROCESS_CONCURRENCY',
    createIntegerSchema(1, 64).default(1),
    'Files that one processor decodes and splits into chunks at the same time.',
  ),
  chunkConcurrency: declareEnvVariable(
    'CHUNK_CONCURRENCY',
    createIntegerSchema(1, 256).optional(),
    'Chunks that one processor transcribes at the same time. Default: the number of CPU cores, but with the engine `sherpa` at most as many copies of its model as fit into memory. `doctor` shows the number and why.',
  ),
  aggregationConcurrency: declareEnvVariable(
    'AGGREGATION_CONCURRENCY',
    createIntegerSchema(1, 64).default(2),
    'Transcripts that one processor assembles at the same time.',
  ),
  chunkSeconds: declareEnvVariable(
    'CHUNK_SECONDS',
    createIntegerSchema(5, 600).default(30),
    'Target length of a chunk, in seconds of audio.',
  ),
  chunkMaxSeconds: declareEnvVariable(
    'CHUNK_MAX_SECONDS',
    createIntegerSchema(10, 900).default(60),
    'Maximum length of a chunk, in seconds of audio. Audio without a pause is split there.',
  ),
  smallFileBytes: declareEnvVariable(
    'SMALL_FILE_BYTES',
    createByteSizeSchema().default(2 ** 20),
    'Size in bytes up to which the events of a job have no `preprocess` step.',
  ),
  leaseSeconds: declareEnvVariable(
    'LEASE_SECONDS',
    createIntegerSchema(3, 600).default(15),
    'Seconds after which a stage whose process stopped renewing its lease is given to another process.',
  ),
  sweepSeconds: declareEnvVariable(
    'SWEEP_SECONDS',
    createIntegerSchema(1, 600).default(2),
    'Seconds between two sweeps for work that a crash or a lost message left behind.',
  ),
  storeScanSeconds: withFormerVariableName(
    'ORPHAN_SWEEP_SECONDS',
    declareEnvVariable(
      'STORE_SCAN_SECONDS',
      createIntegerSchema(1, 600).default(300),
      'Seconds between two scans of stored audio, chunks and open uploads. What a row permits to delete is deleted at the third scan at the latest, but audio and open uploads not before `UNNEEDED_AUDIO_SECONDS`.',
    ),
  ),
  unneededAudioSeconds: withFormerVariableName(
    'ORPHAN_AGE_SECONDS',
    declareEnvVariable(
      'UNNEEDED_AUDIO_SECONDS',
      createIntegerSchema(1, 1200).default(600),
      'Minimum seconds between the first scan that finds audio without an open job and its deletion, in case a running request is about to create the job.',
    ),
  ),
  orphanRetentionDays: declareEnvVariable(
    'ORPHAN_RETENTION_DAYS',
    createIntegerSchema(0, 3650).default(7),
    'Days until an orphan (a stored object that no database row refers to) is deleted. 0: only `store orphans delete` deletes orphans. Audio and transcripts of unknown jobs are never deleted automatically.',
  ),
  orphanDelaySeconds: declareEnvVariable(
    'ORPHAN_DELAY_SECONDS',
    createIntegerSchema(0, 604_800).default(3_600),
    'Seconds that a processor must have run before it deletes orphans.',
  ),
  redeliverSeconds: declareEnvVariable(
    'REDELIVER_SECONDS',
    createIntegerSchema(5, 3600).default(30),
    'Seconds after which a due stage that no processor has claimed counts as one whose queue message may be lost. If a queue has fewer messages than such stages, the missing messages are sent again.',
  ),
  stageTimeoutSeconds: withFormerVariableName(
    'STAGE_SECONDS',
    declareEnvVariable(
      'STAGE_TIMEOUT_SECONDS',
      createIntegerSchema(60, 86_400).default(7_200),
      'Maximum seconds of one attempt of a stage. It includes fetching an `audio_url`, so it must be more than `AUDIO_FETCH_SECONDS`. An attempt that takes longer counts as failed.',
    ),
  ),
  maxAttempts: declareEnvVariable(
    'MAX_ATTEMPTS',
    createIntegerSchema(1, 20).default(3),
    'Attempts of one stage before its job fails. Crashes are limited by `MAX_CRASHES`.',
  ),
  maxCrashes: declareEnvVariable(
    'MAX_CRASHES',
    createIntegerSchema(1, 100).default(10),
    'Crashes of one stage before its job fails: attempts whose processor died or froze, or whose remote engine went down, which another stage may have caused. From the second one on, the stage waits for a random time of up to 10 seconds, doubled with each crash, at most 15 minutes.',
  ),
  deadlineSeconds: declareEnvVariable(
    'JOB_DEADLINE_SECONDS',
    createIntegerSchema(60).default(86_400),
    'Seconds from queueing until an unfinished job fails.',
  ),
};

export const billingEnvVariables = {
  creditsPerSecond: declareEnvVariable(
    'CREDITS_PER_SECOND',
    createIntegerSchema(0, 1_000_000).default(1),
    'Credits for each started second of audio, tier `standard`.',
  ),
  developmentCredits: declareEnvVariable(
    'DEVELOPMENT_CREDITS',
    createIntegerSchema(0).default(10_000_000),
    'Opening balance of the development account (`DEVELOPMENT_ACCOUNT`), in credits.',
  ),
};
