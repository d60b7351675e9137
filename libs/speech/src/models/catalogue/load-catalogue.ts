import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { MANIFEST_FILE_ENTRY_SCHEMA, MANIFEST_SCHEMA } from '../manifest.js';
import type { CatalogueModel } from './catalogue-model.js';
import { MODEL_CATALOGUE } from './catalogue.js';

const entry = MANIFEST_SCHEMA.extend({
  files: z.array(MANIFEST_FILE_ENTRY_SCHEMA.extend({ url: z.url({ protocol: /^https?$/ }) })).min(1),
  about: z.string().default('from MODELS_CATALOGUE'),
  rating: z.strictObject({ rank: z.number(), minWordsRight: z.number().min(0).max(1) }).optional(),
  recommended: z.boolean().optional(),
});

/** `MODELS_CATALOGUE` cannot be used; one line. */
export class InvalidCatalogueError extends Error {
  override readonly name = 'InvalidCatalogueError';
}

/**
 * The catalogue of this project, and the entries of the operator's, which replace entries of the same name.
 * @param path of a JSON array @throws InvalidCatalogueError
 */
export async function loadCatalogue(path?: string): Promise<readonly CatalogueModel[]> {
  if (path === undefined) return MODEL_CATALOGUE;
  const own = await readEntries(path);
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...MODEL_CATALOGUE.filter(({ name }) => !names.has(name))];
}

async function readEntries(path: string): Promise<CatalogueModel[]> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new InvalidCatalogueError(`MODELS_CATALOGUE: ${path} cannot be read as JSON.`, { cause: error });
  }
  const parsed = z.array(entry).safeParse(content);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new InvalidCatalogueError(
      `MODELS_CATALOGUE: in ${path}, ${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'is invalid'}.`,
    );
  }
  // Optional properties that are absent, not undefined.
  return parsed.data.map(({ rating, recommended, ...model }) => ({
    ...model,
    ...(rating && { rating }),
    ...(recommended !== undefined && { recommended }),
  }));
}
