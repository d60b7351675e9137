import { parseArgs } from 'node:util';
import { UserFacingError } from './user-facing-error.mjs';

/**
 * Parses the arguments of a benchmark command.
 *
 * @param {{ called: string, names: string[], more: import('node:util').ParseArgsOptionsConfig }} command what its parts
 *   are called in messages, their names, and the parameters that only it has
 * @returns `only` (undefined for all parts), `quick`, `record` and its own
 * @throws UserFacingError naming what is wrong
 */
export function parseBenchArguments({ called, names, more }) {
  const values = parsed({
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    ...more,
  });
  const { only, quick, record } = values;
  if (only !== undefined && !names.includes(only))
    throw new UserFacingError(`${called} are ${names.join(', ')}.`);
  if (record && (quick || only !== undefined)) throw new UserFacingError('Only a whole run can be recorded.');
  return values;
}

/** @param {import('node:util').ParseArgsOptionsConfig} options */
function parsed(options) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new UserFacingError(error.message);
  }
}
