import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InvalidPartsError } from '../store-errors.js';
import {
  createDirectoryDurably,
  renameDurably,
  singleChunkStream,
  writeAndHashNewFile,
} from './durable-writes.js';
import { FileStoreLayout } from './file-store-layout.js';
import { FileStoreObjects, type StagedData } from './file-store-objects.js';
import type { ObjectRecord } from './object-record.js';
import { FileMultipartUploads } from './file-multipart-uploads.js';

const KEY = 'folder/audio';

let folder: string;
let layout: FileStoreLayout;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-store-'));
  layout = new FileStoreLayout(folder);
  for (const place of [layout.objectsDirectory, layout.uploadsDirectory, layout.temporaryDirectory])
    await createDirectoryDurably(place);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** As an abort deletes what another completion has made: the data, and the folder that it leaves empty. */
const deleteObject = async (data: string) => {
  await rm(data, { recursive: true });
  await rm(dirname(data), { recursive: true });
};

class DeletedBeforeTheRecord extends FileStoreObjects {
  override async commit(key: string, staged: StagedData): Promise<ObjectRecord> {
    await deleteObject(staged.path);
    return super.commit(key, staged);
  }
}

class DeletedBeforeTheLastLook extends FileStoreObjects {
  override async moveBesideRecord(key: string, from: string, to: string): Promise<void> {
    await super.moveBesideRecord(key, from, to);
    await deleteObject(to);
  }
}

describe('completing a multipart upload whose object was created and deleted meanwhile', () => {
  it.each([DeletedBeforeTheRecord, DeletedBeforeTheLastLook])(
    'is rejected and leaves no record without data ($name)',
    async (Files) => {
      const uploads = new FileMultipartUploads(layout, new Files(layout));
      const uploadId = await uploads.create(KEY, 'audio/wav');
      const part = await writeAndHashNewFile(
        layout.newTemporaryPath(),
        singleChunkStream(Buffer.from('part')),
      );
      await uploads.addPart(uploadId, 1, part);
      const completion = uploads.complete(KEY, uploadId, [{ partNumber: 1, etag: part.sha256 }]);
      await expect(completion).rejects.toBeInstanceOf(InvalidPartsError);
      expect(await readdir(layout.objectsDirectory)).toEqual([]);
      expect(await readdir(layout.temporaryDirectory)).toEqual([]);
    },
  );
});

describe('two completions of one multipart upload with different parts', () => {
  /** A process of its own: nothing is shared but the disk. */
  const anotherProcess = () => new FileMultipartUploads(layout, new FileStoreObjects(layout));

  const written = (text: string) =>
    writeAndHashNewFile(layout.newTemporaryPath(), singleChunkStream(Buffer.from(text)));

  /** Two parts, of which the first was sent twice at the same time: both of its bodies are there. */
  async function crossedParts() {
    const uploads = anotherProcess();
    const uploadId = await uploads.create(KEY, 'audio/wav');
    const [one, two, again] = [await written('one'), await written('two'), await written('longer')];
    await uploads.addPart(uploadId, 1, one);
    await uploads.addPart(uploadId, 2, two);
    await renameDurably(again.path, join(layout.uploadPath(uploadId), '1', again.sha256));
    const list = (first: string) => [
      { partNumber: 1, etag: first },
      { partNumber: 2, etag: two.sha256 },
    ];
    return { uploadId, short: list(one.sha256), long: list(again.sha256) };
  }

  const stored = () => new FileStoreObjects(layout).read(KEY);

  it.each(['moveBesideRecord', 'commit'] as const)(
    'one wins when the other runs in between (before %s)',
    async (step) => {
      const { uploadId, short, long } = await crossedParts();
      class Interrupted extends FileStoreObjects {
        override async moveBesideRecord(
          ...given: Parameters<FileStoreObjects['moveBesideRecord']>
        ): Promise<void> {
          if (step === 'moveBesideRecord') await anotherProcess().complete(KEY, uploadId, long);
          return super.moveBesideRecord(...given);
        }
        override async commit(...given: Parameters<FileStoreObjects['commit']>): Promise<ObjectRecord> {
          if (step === 'commit')
            await expect(anotherProcess().complete(KEY, uploadId, long)).rejects.toBeInstanceOf(
              InvalidPartsError,
            );
          return super.commit(...given);
        }
      }
      const late = new FileMultipartUploads(layout, new Interrupted(layout)).complete(KEY, uploadId, short);
      if (step === 'moveBesideRecord') await expect(late).rejects.toBeInstanceOf(InvalidPartsError);
      else expect(await late).toMatchObject({ size: 6 });
      expect(await stored()).toMatchObject({ size: step === 'moveBesideRecord' ? 9 : 6 });
    },
  );

  it('the winner can be repeated, the loser never succeeds', async () => {
    const { uploadId, short, long } = await crossedParts();
    const won = await anotherProcess().complete(KEY, uploadId, short);
    await expect(anotherProcess().complete(KEY, uploadId, long)).rejects.toBeInstanceOf(InvalidPartsError);
    expect(await anotherProcess().complete(KEY, uploadId, short)).toEqual(won);
    expect(await stored()).toEqual(won);
  });

  it('of many concurrent ones, all that succeed name the same parts', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { uploadId, short, long } = await crossedParts();
      const asked = Array.from({ length: 6 }, (_, at) => (at % 2 === round % 2 ? short : long));
      const ends = await Promise.allSettled(
        asked.map((parts) => anotherProcess().complete(KEY, uploadId, parts)),
      );
      const record = await stored();
      const sizes = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value.size] : []));
      expect(sizes.length).toBeGreaterThan(0);
      expect(new Set(sizes)).toEqual(new Set([record?.size]));
      for (const end of ends)
        if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(InvalidPartsError);
    }
  });
});

describe('a closed multipart upload that never became an object', () => {
  class CrashedBeforeTheRecord extends FileStoreObjects {
    override commit(): Promise<ObjectRecord> {
      return Promise.reject(new Error('the process ended here'));
    }
  }

  it('is deleted when it is aborted; one that became an object stays', async () => {
    for (const crashes of [true, false]) {
      const uploads = new FileMultipartUploads(
        layout,
        crashes ? new CrashedBeforeTheRecord(layout) : new FileStoreObjects(layout),
      );
      const uploadId = await uploads.create(KEY, 'audio/wav');
      const part = await writeAndHashNewFile(
        layout.newTemporaryPath(),
        singleChunkStream(Buffer.from('part')),
      );
      await uploads.addPart(uploadId, 1, part);
      const parts = [{ partNumber: 1, etag: part.sha256 }];
      await uploads.complete(KEY, uploadId, parts).catch(() => undefined);
      await uploads.abort(KEY, uploadId);
      if (crashes) expect(await readdir(join(layout.objectsDirectory, 'folder'))).toEqual([]);
      else expect(await new FileStoreObjects(layout).read(KEY)).toMatchObject({ size: 4 });
    }
  });
});
