import { BACKUPS } from './catalog/backups.mjs';
import { CREDITS } from './catalog/credits.mjs';
import { DUPLICATE_WORK } from './catalog/duplicate-work.mjs';
import { EVENTS_AND_WEBHOOKS } from './catalog/events-and-webhooks.mjs';
import { GRACEFUL_SHUTDOWN } from './catalog/graceful-shutdown.mjs';
import { IDEMPOTENCY } from './catalog/idempotency.mjs';
import { INCREMENTAL_CHUNKS } from './catalog/incremental-chunks.mjs';
import { LOST_WORK } from './catalog/lost-work.mjs';
import { MEDIA_SANDBOX } from './catalog/media-sandbox.mjs';
import { MISSING_ROWS } from './catalog/missing-rows.mjs';
import { SECURITY } from './catalog/security.mjs';
import { STORED_OBJECTS } from './catalog/stored-objects.mjs';

/** Every mutation, by the heading of the report that shows it. */
export const CATEGORIES = [
  {
    title: 'Access',
    about: 'Keep intruders out, and accounts apart.',
    mutations: SECURITY,
  },
  {
    title: 'Lost work',
    about: 'Keep jobs from getting lost, stuck or delayed.',
    mutations: [...LOST_WORK, ...GRACEFUL_SHUTDOWN],
  },
  {
    title: 'Duplicate work',
    about: 'Keep jobs from being processed, reported or ended twice.',
    mutations: [...DUPLICATE_WORK, ...IDEMPOTENCY],
  },
  {
    title: 'Credits',
    about: 'Keep balances correct.',
    mutations: CREDITS,
  },
  {
    title: 'Events and webhooks',
    about: 'Keep event streams and webhooks complete.',
    mutations: EVENTS_AND_WEBHOOKS,
  },
  {
    title: 'Stored objects',
    about: 'Keep rows and objects consistent.',
    mutations: [...STORED_OBJECTS, ...MISSING_ROWS],
  },
  {
    title: 'Backups',
    about: 'Keep backups complete and private, and existing data safe from a restore.',
    mutations: BACKUPS,
  },
  {
    title: 'Incremental chunks',
    about: 'Keep chunks correct that are processed while their file is still being split.',
    mutations: INCREMENTAL_CHUNKS,
  },
  {
    title: 'Media sandbox',
    about: 'Keep media files, and the programs that read them, inside the sandbox.',
    mutations: MEDIA_SANDBOX,
  },
];

export const MUTATIONS = CATEGORIES.flatMap(({ mutations }) => mutations);
