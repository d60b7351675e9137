import { readdir, readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendStaticFile } from '../static-files/send-static-file.js';
import { computeEtag, type StaticFile } from '../static-files/static-file.js';

/** `dist/packages`, seen from the compiled file. */
const BUILT_FOLDER = new URL('../../../../packages/', import.meta.url);
const PACKED_NAME = /^(zephyr-(?:client|cli))-\d[\w.+-]*\.tgz$/;
/** A path without a version has other content after an upgrade. */
const CACHE_CONTROL = 'no-cache';

/**
 * Serves the packed npm packages for callers, `/packages/zephyr-client.tgz` and `/packages/zephyr-cli.tgz`. They have the version
 * of the service. The packed files are also served under their names with the version.
 *
 * @returns whether both packages are built
 */
export async function registerPackageDownloads(
  fastify: FastifyInstance,
  folder = BUILT_FOLDER,
): Promise<boolean> {
  const names = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  const registered = new Set<string>();
  for (const name of names) {
    const [, packageName] = PACKED_NAME.exec(name) ?? [];
    if (packageName === undefined || registered.has(packageName)) continue;
    const file = toStaticFile(await readFile(new URL(name, folder)));
    for (const path of [`/packages/${packageName}.tgz`, `/packages/${name}`])
      fastify.get(path, (request: FastifyRequest, reply: FastifyReply) =>
        sendStaticFile(file, { cacheControl: CACHE_CONTROL }, request, reply),
      );
    registered.add(packageName);
  }
  return registered.size === 2;
}

function toStaticFile(packed: Buffer): StaticFile {
  return {
    contentType: 'application/gzip',
    etag: computeEtag(packed),
    encoded: new Map(),
    readPlain: () => packed,
  };
}
