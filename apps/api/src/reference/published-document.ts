import { createHash } from 'node:crypto';
import type { ApiDocument } from '../openapi/document-types.js';

/** One thing that is served as it is. */
export interface Page {
  body: string;
  /** Of the body, so that a copy that is kept can be asked about. */
  etag: string;
}

/** The document of the running application: made when all of it is there, and then never changed. */
export class PublishedDocument {
  private published: { json: Page; html: Page } | undefined;

  publish(document: ApiDocument, render: (document: ApiDocument) => string): void {
    this.published = { json: page(JSON.stringify(document)), html: page(render(document)) };
  }

  get json(): Page {
    return this.all.json;
  }

  get html(): Page {
    return this.all.html;
  }

  private get all(): { json: Page; html: Page } {
    if (!this.published) throw new Error('The document was not published before the service listened.');
    return this.published;
  }
}

export function page(body: string): Page {
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}
