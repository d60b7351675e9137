import { createHash } from 'node:crypto';

/**
 * What a request asks for, as 64 hexadecimal digits: equal for two requests exactly when their validated fields are.
 * The order of fields does not count; `null` and absent are the same, as everywhere in this interface.
 */
export function fingerprintRequest(request: object): string {
  return createHash('sha256')
    .update(JSON.stringify(canonicalize(request)))
    .digest('hex');
}

function canonicalize(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonicalize);
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, field]) => field !== undefined && field !== null);
  const sorted = given.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, field]) => [name, canonicalize(field)]));
}
