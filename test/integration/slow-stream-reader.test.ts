import { type AddressInfo, connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type MessageEvent, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { NEVER, Observable } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RequestConcurrencyLimiters } from '../../apps/api/src/admission/request-concurrency-limiters.js';
import { JobStreamService } from '../../apps/api/src/streaming/job-stream.js';
import { AccessRevocationWatcher } from '../../apps/api/src/streaming/access-revocation-watcher.js';
import { JobStreamController } from '../../apps/api/src/streaming/streaming.controller.js';
import { createUnlimitedAdmissionControl } from '../support/unlimited-admission-control.js';

const MIB = 2 ** 20;
const MESSAGE_BYTES = 16 * 1024;
/** Socket buffers of the system and the limit of buffered data. */
const MOST_BYTES = 24 * MIB;
const GIVEN_UP_BYTES = 200 * MIB;

let app: NestFastifyApplication;
let port: number;
let sent = 0;
let stopped = false;

/** A job that sends events without end. */
const endless = new Observable<MessageEvent>((client) => {
  void (async () => {
    for (const data = 'x'.repeat(MESSAGE_BYTES); !client.closed && sent < GIVEN_UP_BYTES; await nextTurn()) {
      client.next({ type: 'progress', id: '1', data });
      sent += MESSAGE_BYTES;
    }
  })();
  return () => (stopped = true);
});

@Module({
  controllers: [JobStreamController],
  providers: [
    { provide: JobStreamService, useValue: { open: () => Promise.resolve(endless) } },
    { provide: RequestConcurrencyLimiters, useValue: createUnlimitedAdmissionControl() },
    { provide: AccessRevocationWatcher, useValue: { watch: () => NEVER } },
  ],
})
class OneStream {}

beforeAll(async () => {
  const adapter = new FastifyAdapter();
  adapter.getInstance().addHook('onRequest', (request, _, done) => {
    Object.assign(request, { caller: { accountId: 'a', keyId: 'k' } });
    done();
  });
  app = await NestFactory.create<NestFastifyApplication>(OneStream, adapter, { logger: false });
  await app.listen(0, '127.0.0.1');
  ({ port } = app.getHttpServer().address() as AddressInfo);
});
afterAll(() => app?.close());

describe('a client that never reads its event stream', () => {
  it('the client is disconnected, and the buffered data stays bounded', async () => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.on('error', () => undefined);
    socket.pause();
    socket.write('GET /api/v1/jobs/x/stream HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => stopped, { timeout: 20_000 }).toBe(true);
    socket.destroy();
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(MOST_BYTES);
  });
});
