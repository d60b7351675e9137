import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_HEADERS, renderConsolePage } from './console-page.js';
import { readStaticFiles, selectEncoding, type StaticFile } from './static-files.js';

/** `dist/console`, seen from the compiled file. */
const BUILT_FOLDER = new URL('../../../../console/', import.meta.url);
const PREFIX = '/console/';
const API_PREFIX = '/console/api/';
const ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable';

export interface ConsoleSiteOptions {
  publicUrl: string;
}

/**
 * Serves the pages of the console. Paths of pages are no routes, because a wildcard route would hide 404 and 405 of
 * `/console/api`: the page answers browsers whose path no route has.
 *
 * @returns whether the pages are built
 */
export async function registerConsoleSite(
  fastify: FastifyInstance,
  { publicUrl }: ConsoleSiteOptions,
  folder = BUILT_FOLDER,
): Promise<boolean> {
  const files = await readStaticFiles(folder);
  const index = files?.get('index.html');
  if (!files || !index) return false;
  const page = renderConsolePage(index.plain.toString(), publicUrl);
  const sendPage = (reply: FastifyReply) => {
    void reply.headers(PAGE_HEADERS).type(index.contentType).send(page);
  };
  fastify.get('/console', (_: FastifyRequest, reply: FastifyReply) => sendPage(reply));
  for (const [name, file] of files) {
    if (name === 'index.html') continue;
    const isHashed = name.startsWith('assets/');
    fastify.get(`${PREFIX}${name}`, (request: FastifyRequest, reply: FastifyReply) =>
      sendFile(file, isHashed ? ASSET_CACHE_CONTROL : 'public, max-age=3600', request, reply),
    );
  }
  fastify.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    if (request.is404 && isPageRequest(request)) sendPage(reply);
    else done();
  });
  return true;
}

function isPageRequest({ method, url, headers }: FastifyRequest): boolean {
  const path = url.split('?', 1)[0] ?? '';
  return (
    (method === 'GET' || method === 'HEAD') &&
    path.startsWith(PREFIX) &&
    !path.startsWith(API_PREFIX) &&
    !path.startsWith(`${PREFIX}assets/`) &&
    (headers.accept ?? '').includes('text/html')
  );
}

function sendFile(
  file: StaticFile,
  cacheControl: string,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { body, encoding } = selectEncoding(file, request.headers['accept-encoding']);
  void reply.headers({
    'cache-control': cacheControl,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    vary: 'accept-encoding',
    ...(encoding !== null && { 'content-encoding': encoding }),
  });
  void reply.type(file.contentType).send(body);
}
