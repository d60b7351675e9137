import { dialogueWav } from '../../e2e/support/audio.js';
import type { ConsoleClient } from '../../e2e/support/console-client.js';
import { createUpload } from '../../e2e/support/console-jobs.js';
import { until } from '../../e2e/support/until.js';

/** A form of a page, with what somebody has entered. */
export interface PageForm {
  /** Button that opens the form, in a dialog unless `isInPage`. */
  opens?: string | RegExp;
  isInPage?: boolean;
  /** Labels and what is entered. */
  fields: Readonly<Record<string, string>>;
  submit: string;
}

/** A page of the console as its tests visit it, below `/console/`. */
export interface ConsolePage {
  name: string;
  /** With `:job` and `:delivery`. */
  path: string;
  heading: string;
  /** Text that appears with the data of the page; null for a page that loads none. */
  loaded: string | null;
  form?: PageForm;
}

const FILE_NAME = 'talk.wav';
const RECEIVER_URL = 'http://127.0.0.1:9/hook';

export const CONSOLE_PAGES: readonly ConsolePage[] = [
  {
    ...{ name: 'Welcome', path: '', heading: 'Welcome', loaded: null },
    form: { fields: {}, submit: 'Create a key' },
  },
  {
    ...{ name: 'Transcribe', path: 'transcribe', heading: 'Transcribe', loaded: null },
    form: {
      fields: { 'Address of the audio': 'https://example.org/talk.mp3', Terms: 'Ada Lovelace' },
      submit: 'Transcribe the address',
    },
  },
  { name: 'Jobs', path: 'jobs', heading: 'Jobs', loaded: FILE_NAME },
  {
    ...{ name: 'Job', path: 'jobs/:job', heading: FILE_NAME, loaded: 'Timeline' },
    form: { opens: 'Delete job', fields: {}, submit: 'Delete job' },
  },
  {
    ...{ name: 'Transcript', path: 'jobs/:job/transcript', heading: `Transcript of ${FILE_NAME}` },
    loaded: 'Good morning the schedule',
    form: {
      opens: /^Correct the text at/,
      isInPage: true,
      fields: { 'Corrected text': 'Good evening' },
      submit: 'Save',
    },
  },
  {
    ...{ name: 'Keys', path: 'keys', heading: 'Keys', loaded: 'Newsroom' },
    form: { opens: 'Create key', fields: { Name: 'Archive' }, submit: 'Create key' },
  },
  {
    ...{ name: 'Webhooks', path: 'webhooks', heading: 'Webhooks', loaded: 'Archive import' },
    form: {
      opens: 'Add endpoint',
      fields: { URL: 'https://example.org/hook', Description: 'Import' },
      submit: 'Add endpoint',
    },
  },
  {
    ...{ name: 'Delivery', path: 'webhooks/deliveries/:delivery', heading: 'Delivery' },
    loaded: RECEIVER_URL,
  },
  { name: 'Usage', path: 'billing', heading: 'Usage and billing', loaded: 'Days are in UTC' },
  {
    ...{ name: 'Payments', path: 'billing?view=payments', heading: 'Usage and billing' },
    loaded: 'There are no payments yet.',
    form: { fields: { 'Alert below': '150' }, submit: 'Save' },
  },
  { name: 'Ledger', path: 'billing?view=ledger', heading: 'Usage and billing', loaded: 'opening balance' },
  {
    ...{ name: 'Members', path: 'members', heading: 'Members', loaded: 'Last seen' },
    form: {
      opens: 'Invite',
      fields: { 'Mail address': 'invited@example.org' },
      submit: 'Create invitation',
    },
  },
  {
    ...{ name: 'Settings', path: 'settings', heading: 'Settings', loaded: 'Account id' },
    form: {
      opens: 'Add a vocabulary',
      fields: { Name: 'Places', Terms: 'Harbour\nMill' },
      submit: 'Add vocabulary',
    },
  },
  { name: 'Audit log', path: 'audit', heading: 'Audit log', loaded: 'Newsroom' },
  {
    ...{ name: 'Profile', path: 'profile', heading: 'Profile', loaded: 'This browser' },
    form: {
      fields: { 'Current password': 'violet harbour 28', 'New password': 'violet harbour 30' },
      submit: 'Set password',
    },
  },
  {
    ...{ name: 'Command line', path: 'command-line', heading: 'Sign in the command line', loaded: null },
    form: { fields: { Code: 'BBBB-BBBB' }, submit: 'Continue' },
  },
];

/** Makes one of everything that a page shows. @returns the path of a page */
export async function preparePages(owner: ConsoleClient): Promise<(page: ConsolePage) => string> {
  const send = async (method: string, path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await owner.request(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path} was answered with ${answer.status}.`);
    return answer.body;
  };
  const endpoint = await send('POST', 'webhook-endpoints', {
    ...{ url: RECEIVER_URL, description: 'Archive import', events: ['failed'], enabled: true },
  });
  const test = await send('POST', `webhook-endpoints/${String(endpoint['id'])}/test`, {});
  await send('POST', 'keys', { name: 'Newsroom' });
  await send('POST', 'vocabularies', { name: 'People', terms: ['Ada Lovelace'] });
  const jobId = await createUpload(owner, await dialogueWav(), { metadata: { file_name: FILE_NAME } });
  await send('POST', 'upload/complete', { job_id: jobId });
  await until('the job has ended', async () => {
    const { body } = await owner.request('GET', `jobs/${jobId}`);
    return body['status'] === 'completed';
  });
  return ({ path }) => path.replace(':job', jobId).replace(':delivery', String(test['delivery_id']));
}
