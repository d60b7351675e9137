import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PartsRejected } from '../store-errors.js';
import { makeDirectory, moveInto, oneChunk, writeDurably } from './durable.js';
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

describe('two completions of one upload that name different parts', () => {
  /** A process of its own: nothing is shared but the disk. */
  const anotherProcess = () => new Uploads(layout, new ObjectFiles(layout));

  const written = (text: string) => writeDurably(layout.temporary(), oneChunk(Buffer.from(text)));

  /** Two parts, of which the first was sent twice at the same time: both of its bodies are there. */
  async function crossedParts() {
    const uploads = anotherProcess();
    const uploadId = await uploads.create(KEY, 'audio/wav');
    const [one, two, again] = [await written('one'), await written('two'), await written('longer')];
    await uploads.addPart(uploadId, 1, one);
    await uploads.addPart(uploadId, 2, two);
    await moveInto(again.path, join(layout.upload(uploadId), '1', again.sha256));
    const list = (first: string) => [
      { partNumber: 1, etag: first },
      { partNumber: 2, etag: two.sha256 },
    ];
    return { uploadId, short: list(one.sha256), long: list(again.sha256) };
  }

  const stored = () => new ObjectFiles(layout).read(KEY);

  it.each(['moveBeside', 'commit'] as const)(
    'one wins, whichever comes between (before %s)',
    async (step) => {
      const { uploadId, short, long } = await crossedParts();
      class Interrupted extends ObjectFiles {
        override async moveBeside(...given: Parameters<ObjectFiles['moveBeside']>): Promise<void> {
          if (step === 'moveBeside') await anotherProcess().complete(KEY, uploadId, long);
          return super.moveBeside(...given);
        }
        override async commit(...given: Parameters<ObjectFiles['commit']>): Promise<ObjectRecord> {
          if (step === 'commit')
            await expect(anotherProcess().complete(KEY, uploadId, long)).rejects.toBeInstanceOf(
              PartsRejected,
            );
          return super.commit(...given);
        }
      }
      const late = new Uploads(layout, new Interrupted(layout)).complete(KEY, uploadId, short);
      if (step === 'moveBeside') await expect(late).rejects.toBeInstanceOf(PartsRejected);
      else expect(await late).toMatchObject({ size: 6 });
      expect(await stored()).toMatchObject({ size: step === 'moveBeside' ? 9 : 6 });
    },
  );

  it('the one that won can be repeated, the other one never comes true', async () => {
    const { uploadId, short, long } = await crossedParts();
    const won = await anotherProcess().complete(KEY, uploadId, short);
    await expect(anotherProcess().complete(KEY, uploadId, long)).rejects.toBeInstanceOf(PartsRejected);
    expect(await anotherProcess().complete(KEY, uploadId, short)).toEqual(won);
    expect(await stored()).toEqual(won);
  });

  it('of many at once exactly one kind is answered', async () => {
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
      for (const end of ends) if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(PartsRejected);
    }
  });
});

describe('an upload that was closed and never became an object', () => {
  class CrashedBeforeTheRecord extends ObjectFiles {
    override commit(): Promise<ObjectRecord> {
      return Promise.reject(new Error('the process ended here'));
    }
  }

  it('leaves nothing when it is aborted; one that became an object stays', async () => {
    for (const crashes of [true, false]) {
      const uploads = new Uploads(
        layout,
        crashes ? new CrashedBeforeTheRecord(layout) : new ObjectFiles(layout),
      );
      const uploadId = await uploads.create(KEY, 'audio/wav');
      const part = await writeDurably(layout.temporary(), oneChunk(Buffer.from('part')));
      await uploads.addPart(uploadId, 1, part);
      const parts = [{ partNumber: 1, etag: part.sha256 }];
      await uploads.complete(KEY, uploadId, parts).catch(() => undefined);
      await uploads.abort(KEY, uploadId);
      if (crashes) expect(await readdir(join(layout.objects, 'folder'))).toEqual([]);
      else expect(await new ObjectFiles(layout).read(KEY)).toMatchObject({ size: 4 });
    }
  });
});
