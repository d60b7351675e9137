import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ObjectStore, PresignPartOptions } from '@app/storage';
import type { MultipartUploadPlan } from './multipart-plan.js';
import type { PartUrlResponse } from './multipart.dto.js';

/** URLs signed before the event loop is yielded: 10,000 at once would block other requests. */
const SIGNING_BATCH_SIZE = 50;

/** Signs one URL per part, in order, limited to the planned size where the store supports it. */
export async function signPartUrls(
  store: ObjectStore,
  upload: Pick<PresignPartOptions, 'key' | 'uploadId' | 'expiresIn'>,
  { numParts, partSize }: MultipartUploadPlan,
): Promise<PartUrlResponse[]> {
  const urls: PartUrlResponse[] = [];
  while (urls.length < numParts) {
    const first = urls.length + 1;
    const count = Math.min(SIGNING_BATCH_SIZE, numParts - urls.length);
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
