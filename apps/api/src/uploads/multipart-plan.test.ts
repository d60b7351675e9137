import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MAX_PART_BYTES,
  MAX_PARTS,
  MAX_MULTIPART_UPLOAD_BYTES,
  MIN_PART_BYTES,
  planMultipartUpload,
} from './multipart-plan.js';

const MIB = 2 ** 20;

describe('planMultipartUpload', () => {
  it.each([
    ['one byte', 1, undefined, 16 * MIB, 1],
    ['exactly one part', 16 * MIB, undefined, 16 * MIB, 1],
    ['one byte more', 16 * MIB + 1, undefined, 16 * MIB, 2],
    ['a part size that is asked for', 21 * MIB, 7 * MIB + 1, 7 * MIB + 1, 3],
    ['a part size below the range', 11 * MIB, 1, MIN_PART_BYTES, 3],
    ['a negative part size', 11 * MIB, -3, MIN_PART_BYTES, 3],
    ['a part size above the range', 11 * MIB, 1e30, MAX_PART_BYTES, 1],
    ['the most parts there may be', MAX_PARTS * MIN_PART_BYTES, 1, MIN_PART_BYTES, MAX_PARTS],
    ['a size that needs larger parts', MAX_PARTS * MIN_PART_BYTES + 1, 1, 6 * MIB, 8_334],
    ['the largest file', MAX_MULTIPART_UPLOAD_BYTES, undefined, MAX_PART_BYTES, MAX_PARTS],
  ])('plans %s', (_, fileSize, requestedPartSize, partSize, numParts) => {
    expect(planMultipartUpload(fileSize, requestedPartSize)).toEqual({ partSize, numParts });
  });

  it('covers every file with parts of a valid size and no unnecessary part', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: MAX_MULTIPART_UPLOAD_BYTES }),
        fc.option(fc.integer()),
        (size, requestedPartSize) => {
          const { partSize, numParts } = planMultipartUpload(size, requestedPartSize ?? undefined);
          expect(partSize).toBeGreaterThanOrEqual(MIN_PART_BYTES);
          expect(partSize).toBeLessThanOrEqual(MAX_PART_BYTES);
          expect(numParts).toBeLessThanOrEqual(MAX_PARTS);
          expect(numParts * partSize).toBeGreaterThanOrEqual(size);
          expect((numParts - 1) * partSize).toBeLessThan(size);
        },
      ),
    );
  });
});
