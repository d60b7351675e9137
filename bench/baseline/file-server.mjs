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

/** @param {import('node:http').IncomingMessage} body @param {import('node:http').ServerResponse} answer */
async function take(body, answer) {
  // `flush`: fsync before the file is closed, which ends the pipeline.
  await pipeline(body, createWriteStream(join(folder, randomUUID()), { flags: 'wx', flush: true }));
  answer.end();
}

const server = createServer((body, answer) => void take(body, answer));
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.once('disconnect', () => process.exit());
