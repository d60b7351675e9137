/** Used by both programs: reading their arguments, uploading bytes and receiving a webhook. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The service under test may send webhooks to this address. */
const HOST = '127.0.0.9';

export interface Arguments {
  baseUrl: string;
  apiKey: string;
  audio: Uint8Array<ArrayBuffer>;
}

/** Base URL, API key, path of the audio. */
export async function readArguments(): Promise<Arguments> {
  const [baseUrl, apiKey, audioPath] = process.argv.slice(2);
  if (!baseUrl || !apiKey || !audioPath) throw new Error('Give a base URL, an API key and a file.');
  return { baseUrl, apiKey, audio: new Uint8Array(await readFile(audioPath)) };
}

export async function put(url: string, contentType: string, audio: Uint8Array<ArrayBuffer>): Promise<void> {
  const response = await fetch(url, { method: 'PUT', headers: { 'Content-Type': contentType }, body: audio });
  if (!response.ok) throw new Error(`The PUT failed with ${response.status}.`);
}

export interface WebhookReceiver {
  url: string;
  /** The body of the first request. */
  body: Promise<unknown>;
  close(): void;
}

export async function receiveWebhook(): Promise<WebhookReceiver> {
  const { promise: body, resolve, reject } = deferred();
  const server = createServer((request, response) => {
    text(request).then((sent) => {
      response.end();
      resolve(JSON.parse(sent));
    }, reject);
  });
  await new Promise<void>((listening) => server.listen(0, HOST, listening));
  const { port } = server.address() as AddressInfo;
  return { url: `http://${HOST}:${port}/hook`, body, close: () => void server.close() };
}

function deferred() {
  let resolve: (value: unknown) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<unknown>((onResolve, onReject) => ([resolve, reject] = [onResolve, onReject]));
  return { promise, resolve, reject };
}
