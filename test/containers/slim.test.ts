import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakeTranscriptionServer } from '../support/fake-transcription-server.js';
import { type PrivatePostgres, startPrivatePostgres } from '../support/private-postgres.js';
import { describeHardenedContainer, useServiceContainer } from './hardened-container.suite.js';
import { Container } from './support/container.js';
import { findImagesFolder } from './support/images-folder.js';
import { SAMPLE_MS } from './support/service-container.js';

const API_KEY = 'key-of-the-recogniser';
/** Each container has a volume of its own, in which it would create another one. */
const SERVICE_SECRET = 'the-same-for-all-containers-of-this-test';

let postgres: PrivatePostgres;
let recogniser: FakeTranscriptionServer;

beforeAll(async () => {
  postgres = await startPrivatePostgres();
  recogniser = await FakeTranscriptionServer.start();
  recogniser.apiKey = API_KEY;
});
afterAll(async () => {
  await recogniser?.stop();
  await postgres?.remove();
});

describe('the slim image with a Postgres and a remote recogniser', () => {
  const getService = useServiceContainer('slim', () => ({
    SERVICE_SECRET,
    DATABASE_URL: postgres.url,
    OPENAI_BASE_URL: recogniser.baseUrl,
    OPENAI_API_KEY: API_KEY,
    OPENAI_MODEL: 'tones',
  }));

  it('transcribes the sample with the recogniser', { timeout: SAMPLE_MS }, async () => {
    // The recogniser hears numbers; two speakers take turns.
    const heard = (await getService().transcribeSample()).match(/\b(?:One|two|three|four)\b/g);
    expect(heard?.slice(0, 4)).toEqual(['One', 'two', 'three', 'four']);
    const chunks = recogniser.requests.filter(({ path }) => path === '/v1/audio/transcriptions');
    expect(chunks.length).toBeGreaterThan(1);
    expect(new Set(chunks.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${API_KEY}`]));
  });

  describeHardenedContainer(getService);

  it('uses the recogniser as its engine', async () => {
    const findings = await getService().doctor();
    expect(findings.find(({ name }) => name === 'engine')?.detail).toMatch(/^openai\b/);
  });
});

describe('the slim image without what it needs', () => {
  it('says that it has no Postgres', async () => {
    const { code, stderr } = await Container.runZephyr(findImagesFolder(), { variant: 'slim' }, 'start');
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/There is no embedded Postgres .* Set DATABASE_URL\./);
  });

  it('says that it has no recogniser', async () => {
    const options = { variant: 'slim', env: { SERVICE_SECRET, DATABASE_URL: postgres.url } } as const;
    const { code, stderr } = await Container.runZephyr(findImagesFolder(), options, 'processor');
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/The speech engine pocketsphinx is unavailable/);
  });
});
