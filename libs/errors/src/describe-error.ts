/** One line for people. If all addresses of a host refuse, only the inner errors have a message. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.map((inner) => describeError(inner)).join('; ');
  return 'code' in error ? String(error.code) : error.name;
}
