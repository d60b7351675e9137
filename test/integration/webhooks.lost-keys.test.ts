import { randomBytes } from 'node:crypto';
import { Encryptor } from '@app/database';
import { WebhookSigningSecretService } from '@app/webhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startReceiver, status } from './outbound.receiver.js';
import { COMPLETED, WebhookFixture } from './webhooks.fixture.js';

let fixture: WebhookFixture;

beforeAll(async () => {
  fixture = await WebhookFixture.open();
});
afterAll(() => fixture.close());

describe('a webhook signing secret whose encryption key is lost', () => {
  const createSecretsWithNewKey = (warnings: string[]) =>
    new WebhookSigningSecretService(fixture.dataSource, new Encryptor(randomBytes(32)), {
      warn: (message) => void warnings.push(message),
    });

  it('is replaced without an overlap, so that webhooks are sent again at once', async () => {
    const receiver = await startReceiver(status(200));
    onTestFinished(() => receiver.close());
    const accountId = await fixture.anotherAccount();
    await fixture.secrets.readOrCreateSecret(accountId);
    const warnings: string[] = [];
    const secrets = createSecretsWithNewKey(warnings);
    const { secret, previousUntil } = await secrets.rotate(accountId, 3_600);
    expect(previousUntil).toBeNull();
    expect(warnings).toHaveLength(1);
    expect(await secrets.readOrCreateCurrent(accountId)).toEqual({ secret, previous: null });
    await fixture.endedJob(receiver.url, COMPLETED, accountId);
    await fixture.dispatcher({ secrets }).dispatchOnce();
    expect(receiver.received[0]?.headers).not.toHaveProperty('x-svc-signature-previous');
    await fixture.clear();
  });

  it('does not sign during its overlap', async () => {
    const accountId = await fixture.anotherAccount();
    await fixture.secrets.readOrCreateSecret(accountId);
    const { secret } = await fixture.secrets.rotate(accountId, 3_600);
    await fixture.dataSource.query('UPDATE webhook_previous_secret SET sealed = $2 WHERE account_id = $1', [
      accountId,
      randomBytes(60),
    ]);
    const warned: string[] = [];
    const current = new WebhookSigningSecretService(fixture.dataSource, new Encryptor(fixture.key), {
      warn: (message) => void warned.push(message),
    });
    expect(await current.readOrCreateCurrent(accountId)).toEqual({ secret, previous: null });
    expect(warned).toHaveLength(1);
  });
});
