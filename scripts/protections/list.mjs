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

/** Every protection that is taken out, by the section of docs/security/protections.md that shows it. */
export const SECTIONS = [
  { title: 'Holes', about: 'What keeps strangers out, and organisations apart.', protections: HOLES },
  {
    title: 'Lost work',
    about: 'What keeps jobs from being lost, stuck or kept waiting.',
    protections: [...LOST_WORK, ...STOPPING],
  },
  {
    title: 'Doubled work',
    about: 'What keeps jobs from being done, told or ended twice.',
    protections: [...DOUBLED_WORK, ...REPEATS],
  },
  {
    title: 'Credits',
    about: 'What keeps balances true.',
    protections: CREDITS,
  },
  {
    title: 'Telling',
    about: 'What keeps streams and notifications whole.',
    protections: TELLING,
  },
  {
    title: 'Stored bytes',
    about: 'What keeps rows and objects in step.',
    protections: OBJECTS,
  },
  {
    title: 'Early chunks',
    about: 'What keeps chunks right that are worked on while their file is still being cut.',
    protections: EARLY_CHUNKS,
  },
  {
    title: 'Media',
    about: 'What keeps files of strangers, and the programs that read them, in their place.',
    protections: MEDIA,
  },
];

export const PROTECTIONS = SECTIONS.flatMap(({ protections }) => protections);
