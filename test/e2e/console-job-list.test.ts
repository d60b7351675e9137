import { beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleClient } from './support/console-client.js';
import { type ConsoleJobPage, getConsoleJob, listJobIds } from './support/console-jobs.js';
import { ConsoleUsers } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';

let service: RunningService;
let browser: ConsoleClient;

beforeAll(async () => {
  service = await useSharedService();
  const users = new ConsoleUsers(service, (await service.openAccount(100)).account_id);
  browser = await users.createWithPassword('owner@job-list.example.org');
});

describe('the list of jobs', () => {
  it('has pages, and filters by status, text and time; a wrong parameter is named', async () => {
    const names = ['alpha 50% off.wav', 'BETA.wav', 'gamma.wav', 'delta.wav', 'epsilon.wav'];
    const ids: string[] = [];
    for (const file_name of names) {
      const created = await browser.request('POST', 'upload', { file_size: 5, metadata: { file_name } });
      ids.unshift(String(created.body.job_id));
    }
    const [epsilon = '', delta = '', gamma = '', beta = '', alpha = ''] = ids;
    await browser.request('POST', `jobs/${gamma}/cancel`);
    expect(await listJobIds(browser)).toEqual(ids);
    const pages: string[] = [];
    for (
      let cursor: string | null = '', query = '?limit=2';
      cursor !== null;
      query = `?limit=2&cursor=${cursor}`
    ) {
      const { body } = await browser.request<ConsoleJobPage>('GET', `jobs${query}`);
      pages.push(...body.jobs.map(({ job_id }) => job_id));
      cursor = body.next_cursor;
    }
    expect(pages).toEqual(ids);
    expect(await listJobIds(browser, '?status=failed')).toEqual([gamma]);
    expect(await listJobIds(browser, '?status=processing&text=wav')).toEqual([epsilon, delta, beta, alpha]);
    expect(await listJobIds(browser, '?text=beta')).toEqual([beta]);
    expect(await listJobIds(browser, `?text=${encodeURIComponent('50% O')}`)).toEqual([alpha]);
    expect(await listJobIds(browser, `?text=${delta.toUpperCase()}`)).toEqual([delta]);
    expect(await listJobIds(browser, '?key_id=unknown')).toEqual([]);
    const { created_at } = await getConsoleJob(browser, gamma);
    expect(await listJobIds(browser, `?created_after=${created_at}`)).toEqual([epsilon, delta, gamma]);
    expect(await listJobIds(browser, `?created_before=${created_at}`)).toEqual([beta, alpha]);
    for (const field of ['limit', 'status', 'created_after', 'created_before', 'cursor', 'colour'])
      expect(await browser.request('GET', `jobs?${field}=wrong`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_parameter', errors: [{ field }] },
      });
  });
});
