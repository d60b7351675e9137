import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialogueWav } from '../e2e/support/audio.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, type Tab, VIEWS } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const SCRIPT = '<img src=x onerror=alert(1)>';
const PROCESSING_MS = 90_000;

const service = getSharedService();
let browser: Browser;
let speech: Buffer;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
  speech = Buffer.from(await dialogueWav());
});

afterAll(async () => {
  await browser?.close();
});

async function openTranscribe(role = 'owner', view?: (typeof VIEWS)[number]): Promise<Tab> {
  const { client } = await (await ConsoleAccount.open(service, 10_000)).addUser(role);
  const tab = await browser.openAs(client, '/console/transcribe', view);
  await tab.heading('Transcribe').waitFor();
  return tab;
}

/** Pixels between the form of a correction and the player; negative if the player covers it. */
async function readGapAbovePlayer(page: Page): Promise<number> {
  const form = await page.locator('form', { has: page.getByLabel('Corrected text') }).boundingBox();
  const player = await page.getByRole('region', { name: 'Player' }).boundingBox();
  if (!form || !player) throw new Error('The form or the player is not shown.');
  return player.y - (form.y + form.height);
}

/** Pixels from the button below the transcript up to the end of its last row; positive if they overlap. */
async function readEndOfRows(page: Page): Promise<number> {
  const last = await page.locator('[data-segment]').last().boundingBox();
  const button = await page.getByRole('button', { name: 'Remove the audio' }).boundingBox();
  if (!last || !button) throw new Error('The last row or the button is not shown.');
  return last.y + last.height - button.y;
}

const wav = (name: string) => ({ name, mimeType: 'audio/wav', buffer: speech });

describe.each(VIEWS)('at $name', (view) => {
  it('files become transcripts that can be read, corrected and downloaded', async () => {
    const tab = await openTranscribe('owner', view);
    const { page } = tab;
    const expectSound = async (name: string) =>
      expect(await tab.findProblems(`${name}-${view.name}`), name).toEqual([]);
    await page.getByText('Nothing has been sent').waitFor();
    await expectSound('transcribe');

    await page.getByRole('button', { name: 'Transcribe', exact: true }).click();
    await page.getByText('Choose a file first.').waitFor();
    await page.getByLabel('Choose files').setInputFiles([wav(`${SCRIPT}.wav`), wav('second.wav')]);
    await page.getByText('The same request as code').click();
    await page.getByRole('region', { name: 'Code for curl' }).waitFor();
    await expectSound('transcribe-chosen');
    await page.getByRole('button', { name: 'Remove second.wav' }).click();
    await page.getByRole('button', { name: 'Transcribe 1 file' }).click();
    await page.getByText('The transcript is ready').waitFor({ timeout: PROCESSING_MS });
    await page.getByRole('heading', { name: `${SCRIPT}.wav` }).waitFor();
    await expectSound('transcribe-sent');

    await page.getByRole('link', { name: 'Open the transcript' }).click();
    await tab.heading(`Transcript of ${SCRIPT}.wav`).waitFor();
    const list = page.getByRole('list', { name: 'Transcript' });
    await list.locator('[data-word="0"]').waitFor();
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await expectSound('transcript');

    await page.getByRole('button', { name: 'Name speakers' }).click();
    await page.getByLabel('Speaker 1').fill(SCRIPT);
    await expectSound('transcript-speakers');
    await page.getByRole('button', { name: 'Save' }).click();
    await list.getByRole('heading', { name: SCRIPT }).first().waitFor();

    const rows = list.locator('[data-segment]');
    const shown = await rows.count();
    await page
      .getByRole('button', { name: /^Correct the text at/ })
      .first()
      .click();
    await page.getByLabel('Corrected text').fill(`${SCRIPT} corrected`);
    await expectSound('transcript-correcting');
    // The row that is corrected is higher, and moves the others, none of which is left out.
    expect(await rows.count()).toBe(shown);
    await expect.poll(() => readEndOfRows(page)).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page
      .getByRole('button', { name: /^Correct the text at/ })
      .last()
      .click();
    await expect.poll(() => readGapAbovePlayer(page)).toBeGreaterThanOrEqual(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page
      .getByRole('button', { name: /^Correct the text at/ })
      .first()
      .click();
    await page.getByLabel('Corrected text').fill(`${SCRIPT} corrected`);
    await page.getByRole('button', { name: 'Save' }).click();
    // The field is hidden until the service has the text.
    await page.getByLabel('Corrected text').waitFor({ state: 'detached' });
    await list.getByText(`${SCRIPT} corrected`).waitFor();
    await list.getByText('Original:').waitFor();
    await page.getByLabel('Search in the transcript').fill('corrected');
    await page.getByText('1 of 1').waitFor();
    await expectSound('transcript-corrected');

    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await expectSound('transcript-shortcuts');
    await page.getByRole('button', { name: 'Close' }).click();
    for (const format of ['JSON', 'TXT', 'SRT', 'VTT', 'DOCX', 'PDF']) {
      await page.getByRole('button', { name: 'Download' }).click();
      const downloaded = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: format }).click();
      expect((await downloaded).suggestedFilename()).toMatch(new RegExp(`\\.${format.toLowerCase()}$`));
    }
    await page.reload();
    await list.getByText(`${SCRIPT} corrected`).waitFor();
    // The copy of the audio is still in the browser.
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('button', { name: 'Remove the audio from this browser' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove the audio from this browser' }).click();
    await expectSound('transcript-remove-audio');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the audio' }).click();
    await page.getByText('this browser has no copy').waitFor();
    await expectSound('transcript-no-audio');
    await page.getByLabel('Choose the audio file').setInputFiles(wav('any name.wav'));
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Open the job' }).click();
    await tab.heading(`${SCRIPT}.wav`).waitFor();
    await page.getByRole('link', { name: 'Open transcript' }).click();
    await tab.heading(`Transcript of ${SCRIPT}.wav`).waitFor();
    await tab.close();
  });
});

describe('transcribing', () => {
  it('from the microphone and from a URL makes jobs; their options can be used again', async () => {
    const tab = await openTranscribe();
    const { page } = tab;
    await page.getByRole('button', { name: 'Record' }).click();
    await page.getByText('Recording, 0:01').waitFor();
    await page.getByRole('button', { name: 'Stop recording' }).click();
    await page.getByLabel('Format of the stored transcript').selectOption('srt');
    await page.getByLabel('Speakers', { exact: true }).uncheck();
    await page.getByLabel('Channels', { exact: true }).selectOption('Mixed');
    await page.getByLabel('Terms', { exact: true }).fill('zephyr\nharbour');
    const created = page.waitForRequest('**/upload/multipart/create');
    await page.getByRole('button', { name: 'Transcribe 1 file' }).click();
    const request = await created;
    expect(request.headers()['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
    expect(request.postDataJSON()).toMatchObject({
      output_type: 'srt',
      speaker_labels: false,
      nltk: true,
      multichannel: false,
      custom_vocabulary: ['zephyr', 'harbour'],
      metadata: { file_name: expect.stringMatching(/^recording .*\.webm$/) as string },
    });
    const answer = (await (await created).response()) ?? expect.unreachable('The request has no answer.');
    const { job_id: jobId } = (await answer.json()) as { job_id: string };
    await page.getByText(/The transcript is ready|^Failed/).waitFor({ timeout: PROCESSING_MS });

    await page.goto(`/console/transcribe?from=${jobId}`);
    await page.getByText('These are the options of an earlier job.').waitFor();
    expect(await page.getByLabel('Format of the stored transcript').inputValue()).toBe('srt');
    expect(await page.getByLabel('Speakers', { exact: true }).isChecked()).toBe(false);
    expect(await page.getByLabel('Channels', { exact: true }).inputValue()).toBe('false');
    expect(await page.getByLabel('Terms', { exact: true }).inputValue()).toBe('zephyr\nharbour');

    await page.getByLabel('Address of the audio').fill('http://10.0.0.1/talk.mp3');
    const byAddress = page.waitForRequest('**/console/api/upload');
    await page.getByRole('button', { name: 'Transcribe the address' }).click();
    expect((await byAddress).postDataJSON()).toMatchObject({ metadata: { file_name: 'talk.mp3' } });
    const error = page.getByText(/public|address/i).and(page.locator('[id$="-error"]'));
    await error.waitFor();
    expect(await tab.findProblems('transcribe-address')).toEqual([]);
    await tab.close();
  });

  it('keeps files that are chosen while the microphone records, and does not bring back those that are sent', async () => {
    const tab = await openTranscribe('member');
    const { page } = tab;
    const chosen = page.getByRole('list', { name: 'Chosen files' });
    await page.getByLabel('Choose files').setInputFiles(wav('before.wav'));
    await page.getByRole('button', { name: 'Record' }).click();
    await page.getByText('Recording, 0:00').waitFor();
    await page.getByRole('button', { name: 'Transcribe 1 file' }).click();
    await chosen.waitFor({ state: 'detached' });
    await page.getByLabel('Choose files').setInputFiles(wav('meanwhile.wav'));
    await page.getByRole('button', { name: 'Stop recording' }).click();
    await chosen.getByText(/^recording .*\.webm$/).waitFor();
    expect(await chosen.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringContaining('meanwhile.wav'),
      expect.stringContaining('recording '),
    ]);

    const remove = page.getByRole('button', { name: /^Remove recording/ });
    const question = page.getByRole('dialog', { name: 'Delete this recording?' });
    await remove.click();
    expect(await tab.findProblems('transcribe-delete-recording')).toEqual([]);
    await question.getByRole('button', { name: 'Keep it' }).click();
    await tab.untilFocused(remove);
    await remove.click();
    await question.getByRole('button', { name: 'Delete recording' }).click();
    await remove.waitFor({ state: 'detached' });
    await tab.untilFocused(chosen.locator('..'));
    await page.getByRole('button', { name: 'Remove meanwhile.wav' }).click();
    await chosen.waitFor({ state: 'detached' });
    await tab.close();
  });

  it('leaves out files without content, and says which', async () => {
    const tab = await openTranscribe('member');
    const { page } = tab;
    const empty = { name: 'empty.wav', mimeType: 'audio/wav', buffer: Buffer.alloc(0) };
    await page.getByLabel('Choose files').setInputFiles([empty, wav('talk.wav')]);
    await page.getByRole('button', { name: 'Transcribe 1 file' }).waitFor();
    await page.getByRole('alert').getByText('Empty, so not added: empty.wav').waitFor();
    expect(await tab.findProblems('transcribe-empty-file')).toEqual([]);
    await tab.close();
  });

  it('takes files that are dropped, each once, and does not leave the page for one that is dropped beside', async () => {
    const tab = await openTranscribe('member');
    const { page } = tab;
    const files = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      for (const name of ['first.wav', 'second.wav'])
        transfer.items.add(new File(['sound of ' + name], name, { type: 'audio/wav', lastModified: 1 }));
      return transfer;
    })()`);
    const target = page.getByText('Drop audio or video files here').locator('..');
    for (const attempt of ['first', 'second']) {
      await target.dispatchEvent('dragover', { dataTransfer: files });
      await expect.poll(() => target.getAttribute('class'), { message: attempt }).toContain('border-accent');
      await target.dispatchEvent('drop', { dataTransfer: files });
      await page.getByRole('button', { name: 'Transcribe 2 files' }).waitFor();
      await expect
        .poll(() => target.getAttribute('class'), { message: attempt })
        .not.toContain('border-accent');
    }
    expect(await page.getByRole('list', { name: 'Chosen files' }).getByRole('listitem').count()).toBe(2);
    const isPrevented = await page.evaluate<boolean>(
      `!document.querySelector('h1').dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true }))`,
    );
    expect(isPrevented).toBe(true);
    expect(await tab.findProblems('transcribe-dropped')).toEqual([]);
    await tab.close();
  });

  it('is not offered to a viewer', async () => {
    const tab = await openTranscribe('viewer');
    await tab.page.getByText('Your role can read transcripts.').waitFor();
    expect(await tab.page.getByRole('button', { name: 'Choose files' }).count()).toBe(0);
    expect(await tab.findProblems('transcribe-viewer')).toEqual([]);
    await tab.close();
  });
});
