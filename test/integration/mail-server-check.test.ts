import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SmtpServer } from '../support/smtp-server.js';
import { checkMailServer } from '../../apps/admin/src/doctor/mail-server-check.js';

const from = 'speech@example.org';
let smtp: SmtpServer;
beforeEach(async () => {
  smtp = await SmtpServer.start();
});
afterEach(() => smtp.stop());

const check = (smtpUrl: string) => checkMailServer({ smtpUrl, from });

it('doctor says that links are shown when no mail server is configured', async () => {
  expect(await checkMailServer(null)).toMatchObject({ name: 'mail', status: 'ok' });
});

it('doctor names a mail server that answers, and sends no mail', async () => {
  const { host } = new URL(smtp.url);
  expect(await check(smtp.url)).toMatchObject({ status: 'ok', detail: expect.stringContaining(host) });
  expect(smtp.mails).toEqual([]);
});

it('doctor advises to check user and password when the server refuses them, and does not print them', async () => {
  smtp.behaviour = 'refuse';
  const finding = await check(smtp.url.replace('smtp://', 'smtp://speech:horse-staple@'));
  expect(finding).toMatchObject({ status: 'warning', advice: expect.stringContaining('user and password') });
  expect(JSON.stringify(finding)).not.toContain('horse-staple');
});

it('doctor advises to check smtp: and smtps: when TLS from the start fails', async () => {
  const finding = await check(smtp.url.replace('smtp:', 'smtps:'));
  expect(finding).toMatchObject({ status: 'warning', advice: expect.stringContaining('`smtps:` is TLS') });
});

it('doctor advises to check host and port when nothing listens or nothing answers there', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  const advice = expect.stringContaining('host and port') as string;
  expect(await check(`smtp://127.0.0.1:${port}`)).toMatchObject({ status: 'warning', advice });
  smtp.behaviour = 'silent';
  expect(await check(smtp.url)).toMatchObject({ status: 'warning', advice });
});

it('doctor advises to check the host when its name does not resolve', async () => {
  const finding = await check('smtp://mail.invalid:25');
  expect(finding).toMatchObject({ status: 'warning', advice: expect.stringContaining('does not resolve') });
});
