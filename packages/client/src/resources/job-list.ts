import type { HttpTransport } from '../http/http-transport.js';
import type { JobListItem, JobListPage, JobListQuery } from '../types.js';

/** Nothing is requested before it is iterated, or its first page is requested. */
export class JobList implements AsyncIterable<JobListItem> {
  constructor(
    private readonly transport: HttpTransport,
    private readonly query: JobListQuery,
    private readonly signal?: AbortSignal,
  ) {}

  /** The first page. Its `next_before` is the `before` of the next one. */
  firstPage(): Promise<JobListPage> {
    return this.requestPage(this.query.before);
  }

  async *pages(): AsyncGenerator<JobListPage, void, undefined> {
    let { before } = this.query;
    for (;;) {
      const page = await this.requestPage(before);
      yield page;
      if (page.next_before === null) return;
      before = page.next_before;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<JobListItem, void, undefined> {
    for await (const page of this.pages()) yield* page.jobs;
  }

  private requestPage(before: string | undefined): Promise<JobListPage> {
    const query = createQuery(before === undefined ? this.query : { ...this.query, before });
    return this.transport.requestJson({
      method: 'GET',
      path: 'api/v1/jobs',
      query,
      expectedField: 'jobs',
      signal: this.signal,
    });
  }
}

function createQuery({ metadata, fields, ...rest }: JobListQuery): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) query.set(name, String(value));
  if (fields !== undefined) query.set('fields', String(fields));
  for (const [name, value] of Object.entries(metadata ?? {})) query.set(`metadata.${name}`, value);
  return query;
}
