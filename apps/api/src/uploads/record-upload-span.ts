import { recordPastJobSpan, type TracedJob } from '@app/runtime';

/**
 * A span from the creation of the job to the end of its upload. Browsers and programs send their bytes to S3, which records no
 * spans, so this one is recorded when the upload is completed.
 *
 * @param storedAt S3 rounds it to seconds
 * @param bytes of the audio
 */
export function recordUploadSpan({ id, traceparent }: TracedJob, storedAt: Date, bytes: number): void {
  const startTime = readUuidTime(id);
  recordPastJobSpan('upload', traceparent, {
    attributes: { 'zephyr.job_id': id, 'zephyr.upload_bytes': bytes },
    startTime,
    endTime: storedAt < startTime ? startTime : storedAt,
  });
}

/** @param id UUID v7, which begins with 48 bits of milliseconds */
function readUuidTime(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}
