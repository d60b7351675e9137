import { type FieldError, nearestName } from '@app/errors';

/** More are not named: a query that is wrong throughout is told so by its first ones. */
const MOST_NAMED = 20;
const NAME_CHARACTERS = 64;

/**
 * One error for each query parameter that a route does not know, with the known one that was probably meant.
 * @param known names of parameters
 * @param isKnown of parameters whose names have a form
 */
export function findUnknownParameters(
  query: Readonly<Record<string, unknown>>,
  known: readonly string[],
  isKnown: (name: string) => boolean = () => false,
): FieldError[] {
  const unknown = Object.keys(query).filter((name) => !known.includes(name) && !isKnown(name));
  return unknown.slice(0, MOST_NAMED).map((name) => {
    const nearest = nearestName(name, known);
    const advice = nearest === undefined ? `known are: ${known.join(', ')}` : `did you mean ${nearest}?`;
    const field = name.slice(0, NAME_CHARACTERS).toWellFormed();
    return { field, message: `is no parameter of this route; ${advice}` };
  });
}
