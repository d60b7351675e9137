/**
 * The minimal durable upload: Node http, bytes piped into a new file, fsync, response. No authentication, limits, hashes or
 * bookkeeping. Started by `bench/lib/programs.mjs` with the folder for the files.
 */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const [, , folder] = process.argv;

/** @param {import('node:http').IncomingMessage} body @param {import('node:http').ServerResponse} response */
async function storeBody(body, response) {
  // `flush`: fsync before the file is closed and the pipeline resolves.
  await pipeline(body, createWriteStream(join(folder, randomUUID()), { flags: 'wx', flush: true }));
  response.end();
}

const server = createServer((body, response) => void storeBody(body, response));
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.once('disconnect', () => process.exit());
