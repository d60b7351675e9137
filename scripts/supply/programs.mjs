import {
  PROGRAMS_FOR_CLIENT_TESTS,
  PROGRAMS_FOR_CONSOLE_TESTS,
  PROGRAMS_FOR_HOST_TESTS,
  PROGRAMS_FOR_SERVICE,
  PROGRAMS_FOR_TESTS,
  PROGRAMS_FOR_S3_TESTS,
} from '../lib/system/required-programs.mjs';
import { ROOT } from '../lib/root.mjs';

/** Programs of the base system. They are not installed, and the service works without them. */
const BASE_PROGRAMS = [
  {
    what: 'prlimit, setpriv, unshare',
    why: 'limit the resources of media programs and disconnect them from the network',
    licence: 'GPL-2.0-or-later',
    apt: ['util-linux'],
  },
];

const toComponentProgram = ({ what, why, licence, apt }) => ({ name: what, why, licence, apt });

/** Programs that run beside the service. */
export const PROGRAMS_TO_RUN = [...PROGRAMS_FOR_SERVICE, ...BASE_PROGRAMS].map(toComponentProgram);

/** Programs that only tests need. */
export const PROGRAMS_TO_TEST = [
  ...PROGRAMS_FOR_TESTS,
  ...PROGRAMS_FOR_S3_TESTS,
  ...PROGRAMS_FOR_CONSOLE_TESTS,
  ...PROGRAMS_FOR_HOST_TESTS,
  ...PROGRAMS_FOR_CLIENT_TESTS,
].map(toComponentProgram);

/** @returns {Promise<readonly { name: string, kind: string, licence: string }[]>} models that can be fetched; needs a build */
export async function readModels() {
  return (await import(`${ROOT}/dist/libs/speech/src/models/catalogue/catalogue.js`)).MODEL_CATALOGUE;
}
