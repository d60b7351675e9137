/** Runs the suite on a runtime with files: BASE_URL API_KEY SMALL LARGE STATE SMALL_URL. Prints the results as JSON. */
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import * as client from 'zephyr-client';
import { runSuite } from './suite.mjs';

const [baseUrl, apiKey, smallPath, largePath, statePath, smallUrl] = process.argv.slice(2);
const [small, large] = await Promise.all(
  [smallPath, largePath].map(async (path) => new Uint8Array(await readFile(path))),
);
const state = client.uploadStateFile(statePath);
const world = { client, baseUrl, apiKey, small, large, smallPath, smallUrl, state };
console.log(JSON.stringify(await runSuite(world)));
process.exit(0);
