import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { convertFormat, makeTone } from '../../scripts/material/library.mjs';
import { withFolderRecordings } from './folder-recordings.mjs';

describe('a folder of recordings', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zephyr-folder-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('returns each decoded recording with its references', async () => {
    const sound = await makeTone(2);
    await copyFile(sound, join(folder, 'a.wav'));
    await writeFile(join(folder, 'a.txt'), 'Hello there.\n');
    await writeFile(join(folder, 'a.rttm'), 'SPEAKER a 1 0 2 <NA> <NA> anna <NA> <NA>\n');
    await mkdir(join(folder, 'more'));
    await copyFile(await convertFormat(sound, 'opus'), join(folder, 'more', 'b.ogg'));
    await writeFile(join(folder, 'more', 'b.txt'), ' \n');
    await writeFile(join(folder, 'notes.md'), 'no recording');
    const recordings = await withFolderRecordings(folder, (all) => Promise.resolve(all));
    expect(recordings).toEqual([
      {
        name: 'a.wav',
        path: join(folder, 'a.wav'),
        plain: expect.stringMatching(/\.wav$/),
        duration: 2,
        text: 'Hello there.\n',
        turns: [{ speaker: 'anna', start: 0, end: 2 }],
      },
      expect.objectContaining({ name: join('more', 'b.ogg'), text: null, turns: null }),
    ]);
    expect(recordings[1].duration).toBeCloseTo(2, 1);
  });

  it('reports what cannot be read', async () => {
    const work = () => Promise.resolve();
    await expect(withFolderRecordings(join(folder, 'absent'), work)).rejects.toThrow('cannot be read');
    await expect(withFolderRecordings(folder, work)).rejects.toThrow('contains no recordings');
    await writeFile(join(folder, 'a.mp3'), 'not audio');
    await expect(withFolderRecordings(folder, work)).rejects.toThrow(/a\.mp3 cannot be decoded/);
    await copyFile(await makeTone(2), join(folder, 'a.mp3'));
    await writeFile(join(folder, 'a.rttm'), 'SPEAKER a\n');
    await expect(withFolderRecordings(folder, work)).rejects.toThrow(/a\.rttm cannot be read: Line 1/);
  });
});
