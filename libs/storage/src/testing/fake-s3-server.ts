import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { S3ObjectStore } from '../s3/s3-object-store.js';
import type { S3StoreOptions } from '../s3/s3-store-options.js';

export interface ReceivedS3Request {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface FakeS3Response {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

export interface FakeS3Server extends AsyncDisposable {
  store: S3ObjectStore;
  /** Options of the store. */
  options: S3StoreOptions;
  /** In the order of their arrival. */
  requests: ReceivedS3Request[];
}

/** A server on loopback that answers as the test says, and a store of its bucket `audio`. */
export async function startFakeS3Server(
  respond: (request: ReceivedS3Request) => FakeS3Response,
  overrides: Partial<S3StoreOptions> = {},
): Promise<FakeS3Server> {
  const requests: ReceivedS3Request[] = [];
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, body: await buffer(incoming) };
    requests.push(request);
    const { status, headers: sent = {}, body = '' } = respond(request);
    response.writeHead(status, sent).end(body);
  };
  const server = createServer((incoming, response) => void serve(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const options: S3StoreOptions = {
    bucket: 'audio',
    region: 'eu-west-1',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forcePathStyle: true,
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    maxAttempts: 1,
    ...overrides,
  };
  const store = new S3ObjectStore(options);
  return {
    store,
    options,
    requests,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

export function createS3ErrorResponse(status: number, code: string): FakeS3Response {
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>Refused by the test.</Message></Error>`,
  };
}
