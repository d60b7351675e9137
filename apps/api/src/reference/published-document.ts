import type { ApiDocument } from '../openapi/document-types.js';
import { computeEtag } from '../static-files/static-file.js';

export interface StaticDocument {
  body: string;
  etag: string;
}

interface Documents {
  title: string;
  api: StaticDocument;
  reference: StaticDocument;
}

/** The OpenAPI document of the running application, set after all modules are loaded. */
export class PublishedApiDocument {
  private published: Documents | undefined;

  /** @param reference as the reference page shows it */
  publish(api: ApiDocument, reference: ApiDocument): void {
    this.published = {
      title: api.info.title,
      api: serializeDocument(api),
      reference: serializeDocument(reference),
    };
  }

  get title(): string {
    return this.get().title;
  }

  get api(): StaticDocument {
    return this.get().api;
  }

  get reference(): StaticDocument {
    return this.get().reference;
  }

  private get(): Documents {
    if (!this.published) throw new Error('The document was not published before the service listened.');
    return this.published;
  }
}

export function serializeDocument(document: object): StaticDocument {
  const body = JSON.stringify(document);
  return { body, etag: computeEtag(body) };
}
