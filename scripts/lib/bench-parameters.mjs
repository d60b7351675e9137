import { parseArgs } from 'node:util';
import { Trouble } from './trouble.mjs';

/**
 * The parameters of a command that measures.
 *
 * @param {{ called: string, names: string[], more: import('node:util').ParseArgsOptionsConfig }} command what its parts
 *   are called in messages, their names, and the parameters that only it has
 * @returns `only` (undefined for all parts), `quick`, `record` and its own
 * @throws Trouble naming what is wrong
 */
export function benchParameters({ called, names, more }) {
  const values = parsed({
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    ...more,
  });
  const { only, quick, record } = values;
  if (only !== undefined && !names.includes(only)) throw new Trouble(`${called} are ${names.join(', ')}.`);
  if (record && (quick || only !== undefined)) throw new Trouble('Only a whole run can be recorded.');
  return values;
}

/** @param {import('node:util').ParseArgsOptionsConfig} options */
function parsed(options) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new Trouble(error.message);
  }
}
