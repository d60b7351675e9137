import { BACKUPS } from './catalog/backups.mjs';
import { CLIENT_ERRORS } from './catalog/client-errors.mjs';
import { CREDITS } from './catalog/credits.mjs';
import { DUPLICATE_WORK } from './catalog/duplicate-work.mjs';
import { EVENTS_AND_WEBHOOKS } from './catalog/events-and-webhooks.mjs';
import { GRACEFUL_SHUTDOWN } from './catalog/graceful-shutdown.mjs';
import { IDEMPOTENCY } from './catalog/idempotency.mjs';
import { INCREMENTAL_CHUNKS } from './catalog/incremental-chunks.mjs';
import { LOST_WORK } from './catalog/lost-work.mjs';
import { ENGINE_CHOICE } from './catalog/engine-choice.mjs';
import { MEDIA_SANDBOX } from './catalog/media-sandbox.mjs';
import { MISSING_ROWS } from './catalog/missing-rows.mjs';
import { SECURITY } from './catalog/security.mjs';
import { FOLLOWING_STAGES } from './catalog/following-stages.mjs';
import { SHORT_RECORDINGS } from './catalog/short-recordings.mjs';
import { STORED_OBJECTS } from './catalog/stored-objects.mjs';
import { VOCABULARY } from './catalog/vocabulary.mjs';

/** Every mutation, by section of the report. */
export const CATEGORIES = [
  {
    title: 'Access',
    about: 'Only authorized requests have effects, and accounts are isolated.',
    mutations: SECURITY,
  },
  {
    title: 'Lost work',
    about: 'No job is lost, stuck or delayed.',
    mutations: [...LOST_WORK, ...GRACEFUL_SHUTDOWN],
  },
  {
    title: 'Duplicate work',
    about: 'No job is processed, reported or ended twice.',
    mutations: [...DUPLICATE_WORK, ...IDEMPOTENCY],
  },
  {
    title: 'Credits',
    about: 'Balances are correct.',
    mutations: CREDITS,
  },
  {
    title: 'Events and webhooks',
    about: 'Event streams and webhooks are complete.',
    mutations: EVENTS_AND_WEBHOOKS,
  },
  {
    title: 'Stored objects',
    about: 'Rows and objects are consistent.',
    mutations: [...STORED_OBJECTS, ...MISSING_ROWS],
  },
  {
    title: 'Backups',
    about: 'Backups are complete and private; a restore never overwrites existing data.',
    mutations: BACKUPS,
  },
  {
    title: 'Vocabulary',
    about: 'A vocabulary changes only words that an engine doubts.',
    mutations: VOCABULARY,
  },
  {
    title: 'Incremental chunks',
    about: 'Chunks can be processed correctly while their file is still being split.',
    mutations: INCREMENTAL_CHUNKS,
  },
  {
    title: 'Short recordings',
    about: 'One process can finish a recording of one chunk with all guarantees of queued stages.',
    mutations: SHORT_RECORDINGS,
  },
  {
    title: 'Following stages',
    about:
      'Statements that are sent at once, and stages that follow in the same process, keep all guarantees.',
    mutations: FOLLOWING_STAGES,
  },
  {
    title: 'Media sandbox',
    about: 'Media files, and the programs that read them, cannot leave the sandbox.',
    mutations: MEDIA_SANDBOX,
  },
  {
    title: 'Engine choice',
    about:
      'No model that does not work is chosen, transcripts name their engine, and nothing is downloaded unasked.',
    mutations: ENGINE_CHOICE,
  },
  {
    title: 'Errors of the client',
    about: 'Errors of the client say what is wrong.',
    mutations: CLIENT_ERRORS,
  },
];

export const MUTATIONS = CATEGORIES.flatMap(({ mutations }) => mutations);
