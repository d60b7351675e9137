/**
 * The least that takes a body for good: the http server of Node, the bytes piped into a new file, the file brought to the
 * disk, and then an answer. Nobody is asked who they are, nothing is counted, hashed or remembered. Started by
 * `bench/lib/programs.mjs` with the folder for the files.
 */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const [, , folder] = process.argv;

/** @param {import('node:http').IncomingMessage} body @param {import('node:http').ServerResponse} answer */
async function take(body, answer) {
  // `flush`: fsync before it is closed, which is what ends the pipeline.
  await pipeline(body, createWriteStream(join(folder, randomUUID()), { flags: 'wx', flush: true }));
  answer.end();
}

const server = createServer((body, answer) => void take(body, answer));
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.once('disconnect', () => process.exit());
