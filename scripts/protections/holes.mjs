import { ADDRESSES } from './holes/addresses.mjs';
import { BODIES } from './holes/bodies.mjs';
import { EXPORTS } from './holes/exports.mjs';
import { KEYS } from './holes/keys.mjs';
import { MEDIA } from './holes/media.mjs';
import { ORGANISATIONS } from './holes/organisations.mjs';
import { OUTBOUND } from './holes/outbound.mjs';
import { STORAGE } from './holes/storage.mjs';

/** What keeps strangers out, and organisations apart. @type {import('./protection.mjs').Protection[]} */
export const HOLES = [
  ...OUTBOUND,
  ...ADDRESSES,
  ...STORAGE,
  ...KEYS,
  ...ORGANISATIONS,
  ...MEDIA,
  ...BODIES,
  ...EXPORTS,
];
