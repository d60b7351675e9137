import { createHash } from 'node:crypto';

/** SHA-256 of the validated fields in hex. The order of fields does not matter; `null` equals absent. */
export function fingerprintRequest(request: object): string {
  return createHash('sha256')
    .update(JSON.stringify(canonicalize(request)))
    .digest('hex');
}

function canonicalize(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonicalize);
  if (typeof value !== 'object' || value === null) return value;
  const present = Object.entries(value).filter(([, field]) => field !== undefined && field !== null);
  const sorted = present.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, field]) => [name, canonicalize(field)]));
}
