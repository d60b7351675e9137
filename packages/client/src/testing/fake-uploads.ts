import {
  type FakeService,
  FakeService as Service,
  createProblemResponse,
  type ReceivedRequest,
} from './fake-service.js';

export const MIB = 2 ** 20;
export const FAKE_PART_BYTES = 5 * MIB;

/** A service that stores parts, replays creates by their key, and lets tests answer a PUT by themselves. */
export class FakeUploadService {
  readonly service: FakeService;
  /** Bytes by `JOB/PART`; part 0 is a whole file. */
  readonly stored = new Map<string, Uint8Array>();
  readonly queued: string[] = [];
  readonly aborted: string[] = [];
  /** Jobs that were deleted, or are of another account. */
  readonly missing = new Set<string>();
  /** What jobs say of themselves, besides their id. */
  readonly ended = new Map<string, object>();
  /** Whether completions and aborts are refused. */
  failEnds = false;
  /** Answers a PUT instead of storing it, unless it returns undefined. */
  intercept: (path: string, signal?: AbortSignal) => Response | undefined | Promise<Response> = () =>
    undefined;
  private created = 0;
  private readonly multipart = new Set<string>();
  private readonly jobs = new Map<string, string>();

  constructor() {
    const create =
      (respond: (jobId: string, request: ReceivedRequest) => object) => (request: ReceivedRequest) => {
        const key = `${request.path} ${request.headers.get('idempotency-key')}`;
        const isReplayed = this.jobs.has(key);
        if (!isReplayed) this.jobs.set(key, `job-${++this.created}`);
        const headers: HeadersInit = isReplayed ? { 'idempotency-replayed': 'true' } : {};
        return Response.json(respond(this.jobs.get(key) as string, request), { headers });
      };
    const complete = ({ path, json }: ReceivedRequest) => {
      const { job_id: jobId } = json as { job_id: string };
      if (this.failEnds) return createProblemResponse(403, 'forbidden');
      if (this.missing.has(jobId)) return createProblemResponse(404, 'job_not_found');
      if (this.queued.includes(jobId)) return Response.json({ status: 'processing' });
      if (path.includes('multipart') !== this.multipart.has(jobId))
        return createProblemResponse(400, 'upload_type_mismatch');
      if (this.bytesOf(jobId).length === 0) return createProblemResponse(400, 'upload_incomplete');
      this.queued.push(jobId);
      return Response.json({ status: 'queued' });
    };
    const put = async ({ path, body }: ReceivedRequest) => {
      const intercepted = await this.intercept(path);
      if (intercepted !== undefined) return intercepted;
      this.stored.set(path.slice('/put/'.length), body);
      return new Response('', { headers: { etag: `"${path}"` } });
    };
    const puts = Object.fromEntries(
      [1, 2, 3].flatMap((job) => [0, 1, 2, 3, 4].map((part) => [`PUT /put/job-${job}/${part}`, put])),
    );
    const getJob = (jobId: string) => () =>
      this.missing.has(jobId)
        ? createProblemResponse(404, 'job_not_found')
        : Response.json({
            ...{ job_id: jobId, status: 'processing', failed_stage: null },
            ...this.ended.get(jobId),
          });
    this.service = new Service({
      ...puts,
      'GET /api/v1/jobs/job-1': getJob('job-1'),
      'GET /api/v1/jobs/job-2': getJob('job-2'),
      'GET /api/v1/jobs/job-3': getJob('job-3'),
      'DELETE /api/v1/jobs/job-2': () => {
        this.missing.add('job-2');
        return new Response(null, { status: 204 });
      },
      'GET /api/v1/account': () => Response.json({ max_bytes: { multipart: 4 * FAKE_PART_BYTES } }),
      'POST /api/v1/upload': create((jobId) => ({
        job_id: jobId,
        upload_url: `http://fake/put/${jobId}/0`,
        content_type: 'application/x-audio',
      })),
      'POST /api/v1/upload/complete': complete,
      'POST /api/v1/upload/multipart/create': create((jobId, { json }) => {
        this.multipart.add(jobId);
        const numParts = Math.ceil((json as { file_size: number }).file_size / FAKE_PART_BYTES);
        const urls = Array.from({ length: numParts }, (_, index) => ({
          part_number: index + 1,
          url: `http://fake/put/${jobId}/${index + 1}`,
        }));
        return { job_id: jobId, part_size: FAKE_PART_BYTES, num_parts: numParts, parts: urls };
      }),
      'POST /api/v1/upload/multipart/complete': complete,
      'POST /api/v1/upload/multipart/abort': ({ json }) => {
        const { job_id: jobId } = json as { job_id: string };
        if (this.failEnds) return createProblemResponse(403, 'forbidden');
        if (this.missing.has(jobId)) return createProblemResponse(404, 'job_not_found');
        const isPending = this.multipart.has(jobId) && !this.queued.includes(jobId);
        if (isPending) this.aborted.push(jobId);
        return Response.json({ status: isPending ? 'aborted' : 'processing' });
      },
    });
  }

  /** As the service does after a day. */
  forgetKeys(): void {
    this.jobs.clear();
  }

  /** The parts of a job, joined. */
  bytesOf(jobId: string): Uint8Array {
    const parts = [...this.stored]
      .filter(([path]) => path.startsWith(`${jobId}/`))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return new Uint8Array(Buffer.concat(parts.map(([, bytes]) => bytes)));
  }
}

/** As S3 answers. */
export const createS3ErrorResponse = (status: number, code: string) =>
  new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>Not so.</Message></Error>`,
    { status, headers: { 'content-type': 'application/xml' } },
  );

export const createUploadClosedResponse = () => createProblemResponse(403, 'upload_closed');

/** Bytes that differ everywhere. */
export function createTestBytes(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index++) bytes[index] = (index * 31 + (index >> 8)) & 255;
  return bytes;
}
