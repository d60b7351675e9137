/** One line about an error for people. A host with several addresses that refuses says so only in the inner errors. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.map((inner) => describeError(inner)).join('; ');
  return 'code' in error ? String(error.code) : error.name;
}
