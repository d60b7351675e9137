import type { ApiDocument, Ref } from './document-types.js';

/** What a reference stands for, in the components of the document. */
export function resolveRef<T extends object>(document: ApiDocument, part: T | Ref): T {
  if (!('$ref' in part)) return part;
  const found = part.$ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
  if (typeof found !== 'object' || found === null) throw new Error(`${part.$ref} leads nowhere.`);
  return found as T;
}
