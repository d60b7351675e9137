import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ObjectStore, PresignPart } from '@app/storage';
import type { MultipartPlan } from './multipart-plan.js';
import type { PartUrlResponse } from './multipart.dto.js';

/** Signed at once; then other requests get their turn. Ten thousand in one go would be heard as a pause by all. */
const AT_ONCE = 50;

/** One address a part, in order. Each takes at most the planned size where the store can tell. */
export async function signPartUrls(
  store: ObjectStore,
  upload: Pick<PresignPart, 'key' | 'uploadId' | 'expiresIn'>,
  { numParts, partSize }: MultipartPlan,
): Promise<PartUrlResponse[]> {
  const urls: PartUrlResponse[] = [];
  while (urls.length < numParts) {
    const first = urls.length + 1;
    const count = Math.min(AT_ONCE, numParts - urls.length);
    const signed = Array.from({ length: count }, async (_, offset) => {
      const partNumber = first + offset;
      const url = await store.presignPart({ ...upload, partNumber, maxBytes: partSize });
      return { part_number: partNumber, url };
    });
    urls.push(...(await Promise.all(signed)));
    await nextTurn();
  }
  return urls;
}
