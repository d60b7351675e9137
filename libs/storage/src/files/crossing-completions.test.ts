import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PartsRejected } from '../store-errors.js';
import { makeDirectory, oneChunk, writeDurably } from './durable.js';
import { Layout } from './layout.js';
import { ObjectFiles, type StagedData } from './object-files.js';
import type { ObjectRecord } from './object-record.js';
import { Uploads } from './uploads.js';

const KEY = 'folder/audio';

let folder: string;
let layout: Layout;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-store-'));
  layout = new Layout(folder);
  for (const place of [layout.objects, layout.uploads, layout.tmp]) await makeDirectory(place);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** As an abort deletes what another completion has made: the data, and the folder that it leaves empty. */
const deleteObject = async (data: string) => {
  await rm(data, { recursive: true });
  await rm(dirname(data), { recursive: true });
};

class DeletedBeforeTheRecord extends ObjectFiles {
  override async commit(key: string, staged: StagedData): Promise<ObjectRecord> {
    await deleteObject(staged.path);
    return super.commit(key, staged);
  }
}

class DeletedBeforeTheLastLook extends ObjectFiles {
  override async moveBeside(key: string, from: string, to: string): Promise<void> {
    await super.moveBeside(key, from, to);
    await deleteObject(to);
  }
}

describe('a completion whose parts another call has completed and deleted meanwhile', () => {
  it.each([DeletedBeforeTheRecord, DeletedBeforeTheLastLook])(
    'is refused, and leaves no record without data ($name)',
    async (Files) => {
      const uploads = new Uploads(layout, new Files(layout));
      const uploadId = await uploads.create(KEY, 'audio/wav');
      const part = await writeDurably(layout.temporary(), oneChunk(Buffer.from('part')));
      await uploads.addPart(uploadId, 1, part);
      const completion = uploads.complete(KEY, uploadId, [{ partNumber: 1, etag: part.sha256 }]);
      await expect(completion).rejects.toBeInstanceOf(PartsRejected);
      expect(await readdir(layout.objects)).toEqual([]);
      expect(await readdir(layout.tmp)).toEqual([]);
    },
  );
});
