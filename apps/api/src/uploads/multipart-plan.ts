const MIB = 2 ** 20;

export const MAX_PARTS = 10_000;
/** S3 minimum for every part but the last. */
export const MIN_PART_BYTES = 5 * MIB;
export const MAX_PART_BYTES = 5 * 1024 * MIB;
const DEFAULT_PART_BYTES = 16 * MIB;

export const MAX_MULTIPART_UPLOAD_BYTES = MAX_PARTS * MAX_PART_BYTES;

export interface MultipartUploadPlan {
  /** Bytes. */
  partSize: number;
  numParts: number;
}

/**
 * Plans the parts of a file: clamps the requested part size to the limits of S3, and raises it to whole MiB if there
 * would be too many parts.
 * @param fileSize bytes, 1 to `MAX_MULTIPART_UPLOAD_BYTES`.
 * @param requestedPartSize bytes per part, any whole number.
 */
export function planMultipartUpload(
  fileSize: number,
  requestedPartSize = DEFAULT_PART_BYTES,
): MultipartUploadPlan {
  const clampedSize = Math.min(Math.max(requestedPartSize, MIN_PART_BYTES), MAX_PART_BYTES);
  const minPartSize = Math.ceil(fileSize / MAX_PARTS);
  const partSize = clampedSize >= minPartSize ? clampedSize : Math.ceil(minPartSize / MIB) * MIB;
  return { partSize, numParts: Math.ceil(fileSize / partSize) };
}
