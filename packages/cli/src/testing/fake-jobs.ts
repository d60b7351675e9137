/** A service that answers the requests of `zephyr transcribe` inside the process. */
export class FakeJobs {
  /** `METHOD /path` of every request. */
  readonly requests: string[] = [];
  /** Answers instead, unless it returns undefined. */
  intercept: (line: string) => Response | undefined | Promise<Response | undefined> = () => undefined;
  /** The most jobs whose transcript had not been downloaded. */
  mostAtATime = 0;
  private jobs = new Map<string, string>();

  /** As after `jobs delete`, or for the key of another account. */
  deleteJobs(): void {
    this.jobs = new Map();
  }

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const line = `${request.method} ${new URL(request.url).pathname}`;
    this.requests.push(line);
    this.mostAtATime = Math.max(this.mostAtATime, this.created - this.downloaded);
    return (await this.intercept(line)) ?? this.answer(line, request);
  };

  /** @returns how many jobs were created */
  get created(): number {
    return this.requests.filter((line) => line === 'POST /api/v1/upload').length;
  }

  /** @returns how many transcripts were downloaded */
  private get downloaded(): number {
    return this.requests.filter((line) => line.startsWith('GET /get/')).length;
  }

  private answer(line: string, { headers }: Request): Response {
    if (line === 'POST /api/v1/upload') {
      const key = headers.get('idempotency-key') as string;
      const id = this.jobs.get(key) ?? `job-${this.created}`;
      this.jobs.set(key, id);
      return Response.json({ job_id: id, upload_url: `http://fake/put/${id}`, content_type: 'audio/wav' });
    }
    if (line.startsWith('PUT /put/')) return new Response('');
    if (line === 'POST /api/v1/upload/complete') return Response.json({ status: 'queued' });
    if (line.startsWith('GET /get/')) return new Response('Good morning.\n');
    const [, id, rest] = /^GET \/api\/v1\/jobs\/(job-\d+)(.*)$/.exec(line) ?? [];
    if (id === undefined || ![...this.jobs.values()].includes(id))
      return createProblemResponse(404, 'job_not_found');
    if (rest === '/stream')
      return new Response('event: completed\nid: 1\ndata: {}\n\n', {
        headers: { 'content-type': 'text/event-stream' },
      });
    const job = {
      job_id: id,
      status: 'completed',
      download_url: `http://fake/get/${id}`,
      duration_seconds: 1,
    };
    return Response.json(job);
  }
}

export function createProblemResponse(status: number, code: string): Response {
  return Response.json({ status, code, title: code, detail: `${code} happened` }, { status });
}
