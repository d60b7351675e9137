import { TO_RUN, TO_TEST, TO_TEST_S3 } from '../lib/system/needs.mjs';

/** Programs of the base system: nothing installs them, the service does without them. */
const OF_THE_BASE = [
  {
    what: 'prlimit, setpriv, unshare',
    why: 'keep media programs within limits and off the network',
    licence: 'GPL-2.0-or-later',
    apt: ['util-linux'],
  },
];

/** Programs that run beside the service. */
export const PROGRAMS_TO_RUN = [...TO_RUN, ...OF_THE_BASE];

/** Programs that only tests need. */
export const PROGRAMS_TO_TEST = [...TO_TEST, ...TO_TEST_S3];
