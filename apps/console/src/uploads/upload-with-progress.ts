import type { UploadRecord } from './upload-record.ts';

/** An upload as pages show it. */
export interface UploadWithProgress extends UploadRecord {
  sentBytes: number;
  /** A failed attempt after which another one follows. */
  retry: { message: string; at: number } | null;
}

export function toUploadWithProgress(record: UploadRecord): UploadWithProgress {
  const sentBytes = record.parts.length * (record.plan?.partSize ?? 0);
  return { ...record, sentBytes: Math.min(record.fileSize, sentBytes), retry: null };
}

export function toUploadRecord(upload: UploadWithProgress): UploadRecord {
  const { sentBytes: _, retry: __, ...record } = upload;
  return record;
}
