import { ABSENT_ROWS } from './absent-rows.mjs';
import { BACKUPS } from './backups.mjs';
import { CREDITS } from './credits.mjs';
import { DOUBLED_WORK } from './doubled-work.mjs';
import { EARLY_CHUNKS } from './early-chunks.mjs';
import { HOLES } from './holes.mjs';
import { LOST_WORK } from './lost-work.mjs';
import { MEDIA } from './media.mjs';
import { OBJECTS } from './objects.mjs';
import { REPEATS } from './repeats.mjs';
import { STOPPING } from './stopping.mjs';
import { TELLING } from './telling.mjs';

/** Every protection that has a mutation, by the section of docs/security/protections.md that shows it. */
export const SECTIONS = [
  { title: 'Access', about: 'Keep strangers out, and accounts apart.', protections: HOLES },
  {
    title: 'Lost work',
    about: 'Keep jobs from getting lost, stuck or delayed.',
    protections: [...LOST_WORK, ...STOPPING],
  },
  {
    title: 'Doubled work',
    about: 'Keep jobs from being processed, reported or ended twice.',
    protections: [...DOUBLED_WORK, ...REPEATS],
  },
  {
    title: 'Credits',
    about: 'Keep balances correct.',
    protections: CREDITS,
  },
  {
    title: 'Streams and webhooks',
    about: 'Keep event streams and webhooks complete.',
    protections: TELLING,
  },
  {
    title: 'Stored bytes',
    about: 'Keep rows and objects consistent.',
    protections: [...OBJECTS, ...ABSENT_ROWS],
  },
  {
    title: 'Backups',
    about: 'Keep backups complete and private, and existing data safe from a restore.',
    protections: BACKUPS,
  },
  {
    title: 'Early chunks',
    about: 'Keep chunks correct that are processed while their file is still being split.',
    protections: EARLY_CHUNKS,
  },
  {
    title: 'Media',
    about: 'Keep media files, and the programs that read them, inside the sandbox.',
    protections: MEDIA,
  },
];

export const PROTECTIONS = SECTIONS.flatMap(({ protections }) => protections);
