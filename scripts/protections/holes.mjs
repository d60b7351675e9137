import { ADDRESSES } from './holes/addresses.mjs';
import { BODIES } from './holes/bodies.mjs';
import { EXPORTS } from './holes/exports.mjs';
import { KEYS } from './holes/keys.mjs';
import { MEDIA } from './holes/media.mjs';
import { ORGANISATIONS } from './holes/organisations.mjs';
import { OUTBOUND } from './holes/outbound.mjs';
import { PRESSURE } from './holes/pressure.mjs';
import { ROUTES } from './holes/routes.mjs';
import { SEALING } from './holes/sealing.mjs';
import { STORAGE } from './holes/storage.mjs';

/** What keeps strangers out, and organisations apart. @type {import('./protection.mjs').Protection[]} */
export const HOLES = [
  ...OUTBOUND,
  ...ADDRESSES,
  ...STORAGE,
  ...KEYS,
  ...SEALING,
  ...ORGANISATIONS,
  ...ROUTES,
  ...MEDIA,
  ...BODIES,
  ...PRESSURE,
  ...EXPORTS,
];
