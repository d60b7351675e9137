import { buffer } from 'node:stream/consumers';
import {
  buildTranscriptDocumentKey,
  type JobOptions,
  buildRenderedTranscriptKey,
  type StoredTranscript,
  buildTranscriptPrefix,
} from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import { getExporter } from '@app/transcript';
import { z } from 'zod';

const document = z.object({ job_id: z.string(), duration: z.number().nonnegative() });

/**
 * Finds the document and the requested format of a job. Both are stored completely or not at all; of several attempts of
 * aggregation the last one counts.
 */
export async function findStoredTranscript(
  store: ObjectStore,
  jobId: string,
  { output_type }: Pick<JobOptions, 'output_type'>,
): Promise<StoredTranscript | null> {
  const keys = new Set<string>();
  const starts = new Set<number>();
  for await (const { key } of store.list(buildTranscriptPrefix(jobId))) {
    keys.add(key);
    const start = /\/f(\d+)\/[^/]+$/.exec(key)?.[1];
    if (start !== undefined) starts.add(Number(start));
  }
  for (const fence of [...starts].toSorted((a, b) => b - a)) {
    const documentKey = buildTranscriptDocumentKey(jobId, fence);
    const resultKey =
      output_type === 'json'
        ? documentKey
        : buildRenderedTranscriptKey(jobId, fence, getExporter(output_type).extension);
    if (!keys.has(documentKey) || !keys.has(resultKey)) continue;
    const duration = await readDuration(store, documentKey, jobId);
    if (duration !== null) return { resultKey, duration };
  }
  return null;
}

/** @returns null if the object is not the document of this job */
async function readDuration(store: ObjectStore, key: string, jobId: string): Promise<number | null> {
  const text = String(await buffer(await store.get(key)));
  try {
    const parsed = document.parse(JSON.parse(text));
    return parsed.job_id === jobId ? parsed.duration : null;
  } catch {
    return null;
  }
}
