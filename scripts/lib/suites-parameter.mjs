/** The second one is the former name. */
const NAMES = ['--suites', '--rings'];

/**
 * Removes `--suites A,B` from the parameters of a command.
 *
 * @param {string[]} parameters
 * @returns {string[] | undefined} names of suites; undefined if the parameter is absent
 */
export function takeSuites(parameters) {
  const at = parameters.findIndex((each) => NAMES.includes(each));
  return at < 0 ? undefined : (parameters.splice(at, 2)[1] ?? '').split(',');
}
