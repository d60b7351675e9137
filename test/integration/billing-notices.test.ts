import { grantOrDeductCredits, setCreditAlert, setRechargeSettingsAndEndPause } from '@app/billing';
import { inTransaction } from '@app/database';
import { insertInstallationIfAbsent } from '@app/installation';
import { type Mail, type MailResult, Mailer } from '@app/runtime';
import { holdAllWebhookDeliveries, releaseAllWebhookDeliveries } from '@app/webhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { BillingNoticeMailer } from '../../apps/processor/src/maintenance/billing-notice-mailer.js';
import { SmtpServer } from '../support/smtp-server.js';
import { CardPaymentsFixture } from '../support/stripe/card-payments-fixture.js';

let fixture: CardPaymentsFixture;
let accountId: string;
let mails: Mail[];
let result: MailResult;

beforeAll(async () => void (fixture = await CardPaymentsFixture.create()));
afterAll(() => fixture.close());
beforeEach(async () => {
  mails = [];
  result = 'sent';
  accountId = await fixture.openAccount(100);
  await addMember('owner');
  await addMember('admin');
  await addMember('member');
});

async function addMember(role: string, disabledAt: Date | null = null): Promise<void> {
  await fixture.jobs.rows(
    `WITH added AS (
       INSERT INTO app_user (id, email, name, disabled_at) VALUES (gen_random_uuid(), $1, $1, $4) RETURNING id
     )
     INSERT INTO membership (user_id, account_id, role) SELECT id, $2, $3 FROM added`,
    `${role}-${accountId}@example.org`,
    accountId,
    role,
    disabledAt,
  );
}

const send = (hasCardPayments = true) =>
  new BillingNoticeMailer(
    fixture.db,
    { send: (mail) => Promise.resolve((mails.push(mail), result)) },
    'https://speech.example.org',
    hasCardPayments,
  ).sendDueNotices();
const setAlert = (below: number | null) =>
  inTransaction(fixture.db, (tx) => setCreditAlert(tx, accountId, below));
const change = (credits: number) =>
  inTransaction(fixture.db, (tx) => grantOrDeductCredits(tx, accountId, credits, 'change'));
const recipients = () => mails.map(({ to }) => to.split('-', 1)[0]);
const passDays = (table: string, days: number) =>
  fixture.jobs.rows(
    `UPDATE ${table} SET next_notice_at = next_notice_at - make_interval(days => $2) WHERE account_id = $1`,
    accountId,
    days,
  );

describe('the alert of a low balance', () => {
  it('is mailed once to owners and admins when the balance falls below it', async () => {
    await setAlert(50);
    await send();
    expect(mails).toEqual([]);
    await change(-51);
    await send();
    await send();
    expect(recipients()).toEqual(['owner', 'admin']);
    expect(mails[0]).toMatchObject({
      subject: 'payer has 49 credits left',
      text: expect.stringContaining('https://speech.example.org/console/billing'),
    });
  });

  it('comes again a day after the balance recovered, and as a reminder after a month', async () => {
    await setAlert(50);
    await change(-60);
    await send();
    await change(60);
    await send();
    await change(-60);
    await send();
    expect(mails).toHaveLength(2);
    await passDays('credit_alert', 1);
    await send();
    expect(mails).toHaveLength(4);
    await passDays('credit_alert', 30);
    await send();
    expect(mails).toHaveLength(6);
  });

  it('is not mailed again when the same threshold is saved, and an hour after the last mail for another one', async () => {
    await setAlert(500);
    await send();
    await setAlert(500);
    await send();
    await setAlert(600);
    await send();
    expect(recipients()).toEqual(['owner', 'admin']);
    await fixture.jobs.rows(
      `UPDATE credit_alert SET next_notice_at = next_notice_at - interval '1 hour' WHERE account_id = $1`,
      accountId,
    );
    await send();
    expect(recipients()).toEqual(['owner', 'admin', 'owner', 'admin']);
  });

  it('is claimed by one of two processors, and not for users that are disabled', async () => {
    await fixture.jobs.rows(
      `UPDATE app_user SET disabled_at = now() WHERE email = $1`,
      `admin-${accountId}@example.org`,
    );
    await setAlert(500);
    await Promise.all([send(), send(), send()]);
    expect(recipients()).toEqual(['owner']);
  });

  it('that the mail server has not confirmed is not mailed again', async () => {
    await setAlert(500);
    result = 'unknown';
    await send();
    await passDays('credit_alert', 1);
    await send();
    expect(recipients()).toEqual(['owner', 'admin']);
  });

  it('that could not be mailed is sent later, and none without an alert', async () => {
    await setAlert(500);
    result = 'failed';
    await send();
    await send();
    expect(mails).toHaveLength(2);
    result = 'sent';
    await passDays('credit_alert', 1);
    await send();
    expect(mails).toHaveLength(4);
    await setAlert(null);
    await send();
    expect(mails).toHaveLength(4);
  });
});

it('no notice is mailed while webhooks are held, as after a restore', async () => {
  await insertInstallationIfAbsent(fixture.db, 'fingerprint');
  await setAlert(500);
  await holdAllWebhookDeliveries(fixture.db);
  await send();
  expect(mails).toEqual([]);
  await releaseAllWebhookDeliveries(fixture.db);
  await send();
  expect(recipients()).toEqual(['owner', 'admin']);
});

it('an error with one notice postpones it, and the others are mailed', async () => {
  const first = accountId;
  await setAlert(500);
  accountId = await fixture.openAccount(100);
  await addMember('owner');
  await setAlert(500);
  const failing = new BillingNoticeMailer(
    fixture.db,
    {
      send: async (mail) => {
        if (mail.to.includes(first)) throw new Error('the database is away');
        mails.push(mail);
        return 'sent';
      },
    },
    'https://speech.example.org',
    true,
  );
  await expect(failing.sendDueNotices()).rejects.toThrow('the database is away');
  expect(mails.map(({ to }) => to)).toEqual([`owner-${accountId}@example.org`]);
  accountId = first;
  await passDays('credit_alert', 1);
  mails = [];
  await send();
  expect(new Set(recipients())).toEqual(new Set(['admin', 'owner']));
});

it('a notice is due again when the program stops before the mail server accepts a recipient', async () => {
  const smtp = await SmtpServer.start();
  onTestFinished(() => smtp.stop());
  smtp.behaviour = 'silent-at-recipient';
  const mailer = new Mailer({ smtpUrl: smtp.url, from: 'speech@example.org' });
  await setAlert(500);
  const stop = new AbortController();
  const notices = new BillingNoticeMailer(fixture.db, mailer, 'https://speech.example.org', true);
  const stopped = notices.sendDueNotices(stop.signal);
  await vi.waitFor(() => expect(smtp.recipients).toBe(1));
  stop.abort();
  await stopped;
  await send();
  expect(recipients()).toEqual(['owner', 'admin']);
});

it('a recharge that the owner of the card has to confirm is mailed once, with its link, while cards can be charged', async () => {
  ({ accountId } = await fixture.openAccountWithCard(0, {
    onSession: 'succeeds',
    offSession: 'authentication_required',
  }));
  await addMember('owner');
  await setRechargeSettingsAndEndPause(fixture.db, accountId, { below: 1, credits: 50 });
  await expect(fixture.creditCheck().assertCreditOrRecharge(accountId)).rejects.toMatchObject({
    detail: expect.stringMatching(/confirm/),
  });
  // Without card payments nobody would hear that it was confirmed.
  await send(false);
  expect(mails).toEqual([]);
  await send();
  await send();
  const [payment] = await fixture.payments(accountId);
  expect(mails).toMatchObject([
    {
      subject: 'payer: confirm a payment of 50.00 USD',
      text: expect.stringContaining(payment?.actionUrl ?? '-'),
    },
  ]);
});
