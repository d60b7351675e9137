const KEYS = 'libs/jobs/src/stages/object-keys.ts';
const KEYS_TEST = 'libs/jobs/src/stages/object-keys.test.ts';
const RETENTION_TEST = 'test/integration/retention.test.ts';
const ORPHANS_TEST = 'test/integration/orphans.test.ts';

/** What keeps rows and stored bytes in step. @type {import('./protection.mjs').Protection[]} */
export const OBJECTS = [
  {
    what: 'chunks of every try lie by themselves',
    by: 'their keys lack the fence',
    file: KEYS,
    from: 'f${fence}/chunk-',
    to: 'f/chunk-',
    test: KEYS_TEST,
    name: 'of a chunk are others for every holder',
  },
  {
    what: 'transcripts of every try lie by themselves',
    by: 'their keys lack the fence',
    file: KEYS,
    from: 'f${fence}/transcript.',
    to: 'f/transcript.',
    test: KEYS_TEST,
    name: 'of a transcript and its document are others for every holder',
  },
  {
    what: 'fetched audio of every try lies by itself',
    by: 'its key lacks the fence',
    file: KEYS,
    from: 'f${fence}/audio',
    to: 'f/audio',
    test: KEYS_TEST,
    name: 'of fetched audio are others for every holder',
  },
  {
    what: 'half an object is none',
    by: 'what came of a body that broke passes for all of it',
    file: 'libs/storage/src/files/durable.ts',
    from: '    await rm(path, { force: true });\n    throw error;\n  }\n}\n\n/** Replaces',
    to: `    return { path, size: 0, sha256: '' };\n  }\n}\n\n/** Replaces`,
    test: 'test/integration/storage.files.test.ts',
    name: 'leaves what was there when a body breaks after %i bytes',
  },
  {
    what: 'data that no record names',
    by: 'it stays where its object has other data by now',
    file: 'libs/storage/src/files/sweep.ts',
    from: 'if (record?.data !== name) removed',
    to: 'if (record === null) removed',
    test: 'libs/storage/src/files/file-object-store.test.ts',
    name: 'sweeps what a crash left, an hour later, and nothing that is in use',
  },
  {
    what: 'a sweep of the disk does not hold up the end of its process',
    by: 'it looks at everything first',
    file: 'libs/storage/src/files/sweep.ts',
    from: 'if (stop.aborted) return;',
    to: 'if (stop === undefined) return;',
    test: 'libs/storage/src/files/file-object-store.test.ts',
    name: 'closes without waiting for the sweep of a large tree',
  },
  {
    what: 'a deletion that was cut off is made again',
    by: 'the row goes first',
    file: 'apps/processor/src/upkeep/delete-transcripts.ts',
    from: `    await store.deletePrefix(transcriptPrefix(id));
    await dataSource.query('UPDATE job SET result_key = NULL, speaker_names = NULL WHERE id = $1', [id]);
`,
    to: `    await dataSource.query('UPDATE job SET result_key = NULL, speaker_names = NULL WHERE id = $1', [id]);
    await store.deletePrefix(transcriptPrefix(id));
`,
    test: RETENTION_TEST,
    name: 'one whose deletion was cut off is deleted by the next pass',
  },
  {
    what: 'audio that somebody still works with',
    by: 'it is deleted at once when the job has failed',
    file: 'apps/processor/src/upkeep/delete-audio.ts',
    from: 'finished_at < now() - make_interval(secs => $1)',
    to: 'finished_at < now() + make_interval(secs => $1)',
    test: 'test/integration/delete-audio.test.ts',
    name: 'a worker of one that failed is given time to stop',
  },
  {
    what: 'audio without a job',
    by: 'it stays',
    file: 'apps/processor/src/upkeep/orphans.ts',
    from: 'await this.store.delete(audioKeyOf(id));',
    to: '',
    test: ORPHANS_TEST,
    name: 'is deleted at the second sight',
  },
  {
    what: 'audio whose job is about to be written',
    by: 'it is deleted at first sight',
    file: 'apps/processor/src/upkeep/orphans.ts',
    from: 'const SIGHTS = 2;',
    to: 'const SIGHTS = 1;',
    test: ORPHANS_TEST,
    name: 'stays when its job is written between',
  },
  {
    what: 'uploads in parts without a job',
    by: 'one that goes on is aborted',
    file: 'apps/processor/src/upkeep/orphan-uploads.ts',
    from: 'isAbandoned(upload.uploadId, upload.mark)',
    to: 'isAbandoned(upload.uploadId)',
    test: RETENTION_TEST,
    name: 'are aborted at the third sight without a new part; that of a pending job stays',
  },
  {
    what: 'the transcript that counts',
    by: 'it is deleted with those of other tries',
    file: 'apps/processor/src/upkeep/stray-objects.ts',
    from: 'IS DISTINCT FROM regexp_replace(job.result_key',
    to: 'IS NOT DISTINCT FROM regexp_replace(job.result_key',
    test: RETENTION_TEST,
    name: 'transcripts of other tries, and of jobs that failed or are gone, are deleted; the one that counts stays',
  },
  {
    what: 'uploads without bytes',
    by: 'they are processed',
    file: 'apps/api/src/uploads/uploads.service.ts',
    from: '!stored || stored.size === 0',
    to: '!stored',
    test: 'test/e2e/upload.test.ts',
    name: 'before the bytes came, or after an empty PUT: 400, and the upload stays open',
  },
];
