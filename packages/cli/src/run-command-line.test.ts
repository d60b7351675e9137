import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AuthenticationError, ConnectionError } from 'zephyr-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forwardWebhooksCommand } from './commands/listen.js';
import { loginCommand } from './commands/login.js';
import { transcribeCommand } from './commands/transcribe.js';
import { describeError, InterruptedError } from './errors.js';
import { InProcessCommandLine } from './testing/in-process-command-line.js';

let context: InProcessCommandLine;
beforeEach(async () => {
  const fetch = () => Promise.reject(new TypeError('fetch failed'));
  context = await InProcessCommandLine.create({
    commands: [forwardWebhooksCommand, transcribeCommand],
    fetch,
  });
});
afterEach(() => rm(context.home, { recursive: true, force: true }));

describe('an interrupted command', () => {
  const interrupted = AbortSignal.abort(new InterruptedError('Interrupted.'));

  it('that goes on where it was when it is run again says so', async () => {
    const talk = join(context.home, 'talk.wav');
    await writeFile(talk, 'audio');
    expect(await context.run(['transcribe', talk], interrupted)).toEqual({
      code: 130,
      stdout: '',
      stderr: 'zephyr: Interrupted. Run the same command again to continue.\n',
    });
  });

  it.each([[['transcribe', '-']], [['login']]])(
    '%j that waits for standard input ends at once',
    async (parameters) => {
      let isAsked = false;
      const stdin = (async function* () {
        isAsked = true;
        yield await new Promise<never>(() => undefined);
      })();
      const waiting = await InProcessCommandLine.create({
        commands: [transcribeCommand, loginCommand],
        stdin,
      });
      const interruption = new AbortController();
      const { code, stderr } = waiting.start(parameters, interruption.signal);
      await expect.poll(() => isAsked).toBe(true);
      interruption.abort(new InterruptedError('Interrupted.'));
      expect(await code).toBe(130);
      // Standard input cannot be read again.
      expect(stderr().trim()).toBe('zephyr: Interrupted.');
      await rm(waiting.home, { recursive: true, force: true });
    },
  );

  it('that overwrites says that what is done would be charged again', async () => {
    const talk = join(context.home, 'talk.wav');
    await writeFile(talk, 'audio');
    const { stderr } = await context.run(['transcribe', talk, '-o', talk, '--overwrite'], interrupted);
    expect(stderr).toBe(
      'zephyr: Interrupted. Run the same command again to continue, without the files that are done: --overwrite would transcribe and charge them again.\n',
    );
  });

  it('that follows what happens says no more', async () => {
    const { code, stderr } = await context.run(['listen', '--forward', 'http://127.0.0.1:9/'], interrupted);
    expect({ code, stderr }).toEqual({ code: 130, stderr: 'zephyr: Interrupted.\n' });
  });
});

describe('a refused key', () => {
  const refused = new AuthenticationError(401, { code: 'invalid_api_key', detail: 'Wrong.' }, new Headers());

  it('of ZEPHYR_API_KEY is to be corrected there, as a sign-in would change nothing', () => {
    expect(describeError(refused, { ZEPHYR_API_KEY: 'wrong' })).toBe(
      '401 invalid_api_key: Wrong.\nCorrect ZEPHYR_API_KEY. It takes precedence over the key that "zephyr login" stores.',
    );
  });

  it('that is stored is replaced by a sign-in', () => {
    expect(describeError(refused, {})).toBe('401 invalid_api_key: Wrong.\nRun: zephyr login');
  });
});

it('an error names the job that may be queued although its completion failed', () => {
  const lost = Object.assign(new ConnectionError('No response from http://fake.'), { job_id: 'job-1' });
  expect(describeError(lost)).toBe(
    'No response from http://fake. The job job-1 may be queued all the same; then zephyr transcript job-1 prints what it says.',
  );
});
