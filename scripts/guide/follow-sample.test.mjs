import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listSamples } from './list-samples.mjs';

const page = (await listSamples()).find(({ file }) => file.endsWith('follow-a-job.md'));
const program = page.samples.find(({ file }) => file?.endsWith('follow.py')).code;

const sendEvent = (response, fields) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(
    `: heartbeat\n${Object.entries(fields)
      .map((entry) => `${entry.join(': ')}\n`)
      .join('')}\n`,
  );
};
const lose = (response) => response.socket.destroy();
const refuse = (status, headers, body) => (response) => response.writeHead(status, headers).end(body);

/** @param answers of one request after the other */
async function follow(...answers) {
  const requests = [];
  const server = createServer((request, response) => {
    requests.push({ at: Date.now(), lastId: request.headers['last-event-id'] });
    (answers[requests.length - 1] ?? refuse(404, {}, 'No more.'))(response);
  });
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => server.close());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = await mkdtemp(join(tmpdir(), 'follow-sample-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'follow.py');
  await writeFile(path, program.replace('127.0.0.1:3000', `127.0.0.1:${server.address().port}`));
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ZEPHYR_API_KEY: 'key' };
  const child = spawn('python3', [path, 'job-1'], { env });
  onTestFinished(() => void child.kill());
  const ended = new Promise((resolve) => child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const pauses = requests.slice(1).map(({ at }, index) => at - requests[index].at);
  return { stdout, stderr, code, pauses, lastIds: requests.map(({ lastId }) => lastId) };
}

const complete = (response) => {
  sendEvent(response, { event: 'completed', id: 2, data: '{}' });
  response.end();
};

describe('the program of the guide that follows a job', () => {
  it('connects again after lost connections, with a pause that grows until an event arrives', async () => {
    const progress = (response) => {
      sendEvent(response, { event: 'progress', id: 1, data: '{}' });
      setTimeout(() => lose(response), 50);
    };
    const { code, stdout, pauses, lastIds } = await follow(lose, lose, progress, lose, complete);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'progress {}\ncompleted {}\n' });
    expect(lastIds).toEqual([undefined, undefined, undefined, '1', '1']);
    for (const [index, atLeast] of [490, 990, 490, 490].entries())
      expect(pauses[index]).toBeGreaterThanOrEqual(atLeast);
  });

  it('waits for as long as a refusal or the stream says, also after a page of another server', async () => {
    const wait = (response) => {
      sendEvent(response, { retry: 1500, event: 'waiting', id: 0, data: '{}' });
      response.end();
    };
    const busy = refuse(503, { 'retry-after': '2' }, '{"code": "service_unavailable"}');
    const { code, pauses } = await follow(busy, refuse(502, {}, '<html>'), wait, complete);
    expect(code).toBe(0);
    for (const [index, atLeast] of [1990, 990, 1490].entries())
      expect(pauses[index]).toBeGreaterThanOrEqual(atLeast);
  });

  it.each([401, 403, 404])('ends with what a %i says', async (status) => {
    const { code, stderr, pauses } = await follow(refuse(status, {}, 'No.'));
    expect({ code, stderr, pauses }).toEqual({ code: 1, stderr: `${status}: No.\n`, pauses: [] });
  });
});
