import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../support/child-process.js';
import { type Bytes, synthesizeSpeech, splitWords } from './support/audio.js';
import { Client, expectStatus } from './support/client.js';
import { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers } from './support/console-users.js';
import { waitUntilBeingStored } from './support/data-dir.js';
import { expectContiguous } from './support/events.js';
import { Program } from './support/program.js';
import { PROXIES, type Proxy } from './support/proxies.js';
import { sendRaw } from './support/raw-http.js';
import { Service } from './support/service.js';
import { startSlowPut } from './support/slow-put.js';
import { until } from './support/until.js';

/** The public URL of both APIs. */
const PUBLIC_URL = 'http://speech.localhost';
const TEXT = 'There are ninety tables between the office and the bridge.';

let service: Service;
let second: Program;
let ports: [number, number];
let audio: Bytes;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-proxies-'));
  service = await Service.start({
    STREAM_HEARTBEAT_SECONDS: '1',
    DRAIN_SECONDS: '5',
    TRUSTED_PROXIES: '127.0.0.1',
    PUBLIC_URL,
  });
  ports = [service.port, await findFreePort()];
  second = await startSecond();
  audio = await synthesizeSpeech(TEXT);
});
afterAll(async () => {
  await Promise.all([second?.stop(), service?.stop()]);
  await rm(folder, { recursive: true, force: true });
});

async function startSecond(): Promise<Program> {
  const env = { ...service.settings, PORT: String(ports[1]) };
  const program = Program.launch('api', [], env, join(service.dataDir, 'second.log'));
  await program.waitUntilReady();
  return program;
}

async function countRequestsOfSecond(): Promise<number> {
  return (await readFile(second.logFile, 'utf8')).split('"msg":"request"').length;
}

/** Answers a POST only when another one was given up by the proxy, or its client has gone. */
async function startSlowApi() {
  const waiting = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    if (request.method === 'GET') return void response.end();
    waiting.add(response);
    request.resume();
    response.once('close', () => {
      waiting.delete(response);
      for (const other of waiting) other.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Signed URLs begin with PUBLIC_URL. */
const urlThroughProxy = (proxy: Proxy, url: string) => url.replace(/^http:\/\/[^/]+/, proxy.baseUrl);

for (const [name, start] of Object.entries(PROXIES)) {
  const installed = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin'].some((path) =>
    existsSync(join(path, name)),
  );
  if (!installed) console.warn(`Skipped, the configuration of ${name}: the program is not installed.`);

  describe.runIf(installed)(`behind ${name} with the shipped configuration`, () => {
    let proxy: Proxy;
    let client: Client;
    beforeAll(async () => {
      proxy = await start(ports, folder);
      client = new Client(proxy.baseUrl, await service.apiKey());
      await until('the proxy has an API', async () => (await fetch(`${proxy.baseUrl}/health/ready`)).ok);
    });
    afterAll(() => proxy?.stop());

    it('a job can be uploaded, streamed and downloaded through the proxy', async () => {
      const created = await client.create({ file_size: audio.length, output_type: 'txt' });
      expectStatus(
        200,
        await client.put(urlThroughProxy(proxy, created.upload_url), audio, created.content_type),
      );
      expectStatus(200, await client.complete(created.job_id));
      const events = await client.events(created.job_id);
      expectContiguous(events);
      expect(events.at(-1)?.name).toBe('completed');
      const { download_url } = await client.job(created.job_id);
      const transcript = await client.download(urlThroughProxy(proxy, download_url ?? ''));
      expect(transcript.status).toBe(200);
      expect(splitWords(transcript.text)).toEqual(expect.arrayContaining(splitWords(TEXT)));
    });

    it('the proxy does not buffer an event stream, whose heartbeats arrive while the job waits', async () => {
      const { job_id } = await client.create({ file_size: 1 });
      const stop = new AbortController();
      const stream = client.stream(job_id, { lastEventId: '0', signal: stop.signal });
      const eventNames: string[] = [];
      for await (const { name: event } of stream) {
        eventNames.push(event);
        if (eventNames.filter((each) => each === '').length === 2) break;
      }
      stop.abort();
      expect(eventNames).toContain('');
    });

    it('the proxy replaces the address that a client claims to have', async () => {
      const users = new ConsoleUsers(service, (await service.openAccount(0)).account_id);
      const token = (await users.createByRows(`${name}@example.org`)).split('#')[1];
      const browser = new ConsoleClient(proxy, PUBLIC_URL);
      const headers = { 'x-forwarded-for': '203.0.113.9' };
      expect((await browser.request('POST', 'sign-in/link', { token }, headers)).status).toBe(200);
      const { body } = await browser.request('GET', 'profile/sessions');
      expect(body).toMatchObject({ sessions: [{ address: '127.0.0.1' }] });
    });

    it('the proxy does not buffer an upload, whatever its size', async () => {
      const size = 64 * 2 ** 20;
      const created = await client.create({ file_size: size });
      const upload = startSlowPut(urlThroughProxy(proxy, created.upload_url), created.content_type, size);
      await waitUntilBeingStored(service.dataDir, () => upload.send(audio));
      for (let sentBytes = audio.length; sentBytes < size; sentBytes += 2 ** 20)
        await upload.send(new Uint8Array(Math.min(2 ** 20, size - sentBytes)));
      expect((await upload.pendingResponse).status).toBe(200);
    });

    it('a transcription request waits longer than others for its response', async () => {
      await using api = await startSlowApi();
      const slow = await start([api.port, api.port], await mkdtemp(join(folder, 'slow-')), '1s');
      try {
        await until('the proxy has an API', async () => (await fetch(`${slow.baseUrl}/health/ready`)).ok);
        const [transcription, other] = await Promise.all(
          ['/v1/audio/transcriptions', '/api/v1/upload'].map((path) =>
            fetch(slow.baseUrl + path, { method: 'POST', body: '{}' }),
          ),
        );
        expect(transcription?.status).toBe(200);
        expect([502, 504]).toContain(other?.status);
        expect(other?.headers.get('x-should-retry')).toBe('false');
      } finally {
        await slow.stop();
      }
    });

    it('no request fails while one API is restarted', async () => {
      const failed: string[] = [];
      const restarted = new AbortController();
      const poll = async () => {
        while (!restarted.signal.aborted) {
          const { status, text } = await client.send('GET', '/api/v1/jobs?limit=1');
          if (status !== 200) failed.push(`${status} ${text}`);
        }
      };
      const polls = [poll(), poll()];
      await second.stop();
      second = await startSecond();
      restarted.abort();
      await Promise.all(polls);
      expect(failed.slice(0, 3)).toEqual([]);
    });

    it('callers get an error of the service when an API is killed in the middle of a request', async () => {
      const loggedBefore = await countRequestsOfSecond();
      await until('the proxy uses both APIs', async () => {
        await client.send('GET', '/api/v1/jobs?limit=1');
        return (await countRequestsOfSecond()) > loggedBefore;
      });
      process.kill(second.pid, 'SIGSTOP');
      let responses = 0;
      // Half of them go to each API; those to the suspended one wait.
      const requests = Array.from({ length: 4 }, async () => {
        // On connections of their own: HAProxy closes one that is kept alive without a response.
        const response = await sendRaw(client, {
          method: 'POST',
          path: '/api/v1/upload',
          headers: [['Content-Type', 'application/json']],
          body: '{"file_size":1}',
        });
        responses += 1;
        return response;
      });
      await until('the other API has answered', () => responses >= 2);
      process.kill(second.pid, 'SIGKILL');
      const failed = (await Promise.all(requests)).filter(({ status }) => status !== 200);
      second = await startSecond();

      expect(failed).not.toEqual([]);
      for (const { status, headers, text } of failed) {
        expect(status).toBe(502);
        expect(headers.get('content-type')).toBe('application/problem+json');
        expect(headers.get('retry-after')).toBe('5');
        expect(JSON.parse(text)).toMatchObject({ status, code: 'service_unavailable' });
      }
    });
  });
}
