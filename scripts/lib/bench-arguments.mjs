import { parseArgs } from 'node:util';
import { UserFacingError } from './user-facing-error.mjs';

/**
 * Parses the arguments of a benchmark command.
 *
 * @param {{ label: string, names: string[], canRecordPart?: boolean,
 *   extraOptions: import('node:util').ParseArgsOptionsConfig }} command label: what messages call its parts; names: values of
 *   `--only`; canRecordPart: whether each part has a table of its own
 * @returns `only` (undefined for all parts), `quick`, `record` and the extra options
 * @throws UserFacingError
 */
export function parseBenchArguments({ label, names, canRecordPart = false, extraOptions }) {
  const values = parseOptions({
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    ...extraOptions,
  });
  const { only, quick, record } = values;
  if (only !== undefined && !names.includes(only))
    throw new UserFacingError(`${label} are ${names.join(', ')}.`);
  if (record && quick) throw new UserFacingError('Figures of --quick cannot be recorded.');
  if (record && only !== undefined && !canRecordPart)
    throw new UserFacingError('Only a whole run can be recorded.');
  return values;
}

/** @param {import('node:util').ParseArgsOptionsConfig} options */
function parseOptions(options) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new UserFacingError(error.message);
  }
}
