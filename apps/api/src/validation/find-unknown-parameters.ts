import { type InvalidField, findNearestName } from '@app/errors';

const MAX_REPORTED_PARAMETERS = 20;
const MAX_SHOWN_NAME_LENGTH = 64;

/**
 * Returns an error for each unknown query parameter, with the nearest known name; the first ones only.
 * @param known names of the parameters
 * @param isKnown for parameters whose names follow a pattern
 */
export function findUnknownParameterErrors(
  query: Readonly<Record<string, unknown>>,
  known: readonly string[],
  isKnown: (name: string) => boolean = () => false,
): InvalidField[] {
  const unknown = Object.keys(query).filter((name) => !known.includes(name) && !isKnown(name));
  return unknown.slice(0, MAX_REPORTED_PARAMETERS).map((name) => {
    const nearest = findNearestName(name, known);
    const advice = nearest === undefined ? `known are: ${known.join(', ')}` : `did you mean ${nearest}?`;
    const field = name.slice(0, MAX_SHOWN_NAME_LENGTH).toWellFormed();
    return { field, message: `is no parameter of this route; ${advice}` };
  });
}
