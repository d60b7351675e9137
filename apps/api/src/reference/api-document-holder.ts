import type { ApiDocument } from '../openapi/document-types.js';
import { computeEtag } from '../static-files/static-file.js';

export interface SerializedDocument {
  body: string;
  etag: string;
}

interface Documents {
  title: string;
  api: SerializedDocument;
  reference: SerializedDocument;
}

/** The OpenAPI document of the running application, set after all modules are loaded. */
export class ApiDocumentHolder {
  private published: Documents | undefined;

  /** @param reference as the reference page shows it */
  publish(api: ApiDocument, reference: ApiDocument): void {
    this.published = {
      title: api.info.title,
      api: serializeDocumentWithEtag(api),
      reference: serializeDocumentWithEtag(reference),
    };
  }

  get title(): string {
    return this.get().title;
  }

  get api(): SerializedDocument {
    return this.get().api;
  }

  get reference(): SerializedDocument {
    return this.get().reference;
  }

  private get(): Documents {
    if (!this.published) throw new Error('The document was not published before the service listened.');
    return this.published;
  }
}

export function serializeDocumentWithEtag(document: object): SerializedDocument {
  const body = JSON.stringify(document);
  return { body, etag: computeEtag(body) };
}
