import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AudioTooLongError,
  UndecodableAudioError,
  chunkAudioToSink,
  decodeAudioToMono,
  type DecodeLimits,
  encodeWav,
} from '@app/speech';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PLAYLISTS, buildPlaylistTargets } from '../support/hostile/playlists.js';
import { Tripwire } from '../support/hostile/tripwire.js';
import { makeMedia } from '../support/make-media.js';

const neverAborted = new AbortController().signal;
/** The file extension for each kind of playlist. */
const FILE_EXTENSIONS = ['mp3', 'mp3', 'wav', 'mp4'];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-decode-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function pathOf(name: string): string {
  return join(folder, name);
}

function makeFile(name: string, ...args: string[]): Promise<string> {
  return makeMedia(folder, name, ...args);
}

let silence: Promise<string> | undefined;

/** Ten minutes: most of it is still to be decoded when the first block arrives. */
function makeSilence(): Promise<string> {
  const args = ['-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-t', '600'];
  return (silence ??= makeFile('silence.flac', ...args));
}

/**
 * Sends a signal to the decoder of a file and its wrapper processes.
 * @returns the number of processes
 */
function signalDecoder(path: string, signal: NodeJS.Signals): number {
  const lines = execFileSync('ps', ['-eww', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  const decoderLines = lines.filter((line) => line.includes('ffmpeg') && line.includes(`file:${path}`));
  for (const line of decoderLines) {
    try {
      process.kill(Number.parseInt(line, 10), signal);
    } catch {
      // It ended together with the previous one.
    }
  }
  return decoderLines.length;
}

async function decodeSeconds(path: string, limits: Partial<DecodeLimits> = {}): Promise<number> {
  let samples = 0;
  for await (const block of decodeAudioToMono(path, { signal: neverAborted, limits }))
    samples += block.length;
  return samples / 16_000;
}

describe('decodeAudioToMono', () => {
  it.each([
    ['wav', []],
    ['mp3', []],
    ['flac', ['-ac', '2', '-ar', '44100']],
    ['ogg', []],
    ['m4a', []],
    ['webm', ['-c:a', 'libopus']],
    ['mkv', ['-f', 'lavfi', '-i', 'testsrc=d=3:s=320x240', '-f', 'lavfi', '-i', 'sine=d=3', '-shortest']],
    ['mp4', ['-f', 'lavfi', '-i', 'testsrc=d=3:s=320x240', '-f', 'lavfi', '-i', 'sine=d=3', '-shortest']],
    ['aiff', []],
    ['avi', []],
  ])('the decoder reads %s', async (extension, args) => {
    expect(await decodeSeconds(await makeFile(`plain.${extension}`, ...args))).toBeCloseTo(3, 0);
  });

  it('the decoder yields large blocks, however small the packets of the file are', async () => {
    const path = await makeFile('minute.mp3', '-f', 'lavfi', '-i', 'sine=d=60');
    const blocks: number[] = [];
    for await (const block of decodeAudioToMono(path, { signal: neverAborted })) blocks.push(block.length);
    const all = blocks.reduce((sum, length) => sum + length, 0);
    expect(all / 16_000).toBeCloseTo(60, 0);
    expect(all / blocks.length).toBeGreaterThan(8_000);
  });

  it('sound that begins late keeps its time offset', async () => {
    const args = [
      '-f',
      'lavfi',
      '-i',
      'testsrc=d=5:s=64x64',
      '-itsoffset',
      '2',
      '-f',
      'lavfi',
      '-i',
      'sine=d=3',
    ];
    const path = await makeFile('late.mkv', ...args);
    const samples: number[] = [];
    for await (const block of decodeAudioToMono(path, { signal: neverAborted })) samples.push(...block);
    const first = samples.findIndex((sample) => Math.abs(sample) > 300) / 16_000;
    expect(first).toBeCloseTo(2, 1);
  });

  it('a gap in the time stamps becomes silence', async () => {
    const gap = ['-f', 'lavfi', '-i', 'sine=d=10', '-af', "asetpts='PTS+if(gt(T,5),60/TB,0)'"];
    expect(await decodeSeconds(await makeFile('gap.mkv', ...gap))).toBeCloseTo(70, 0);
    const absurd = ['-f', 'lavfi', '-i', 'sine=d=10', '-af', "asetpts='PTS+if(gt(T,5),90000/TB,0)'"];
    expect(await decodeSeconds(await makeFile('absurd.mkv', ...absurd))).toBeCloseTo(10, 0);
  });

  it('concatenated recordings whose time stamps restart are read to the end', async () => {
    for (const extension of ['webm', 'flac', 'ogg', 'mp3']) {
      const bytes = await readFile(await makeFile(`piece.${extension}`));
      await writeFile(pathOf(`double.${extension}`), Buffer.concat([bytes, bytes]));
      const length = await decodeSeconds(pathOf(`double.${extension}`));
      expect(Math.abs(length - 6), extension).toBeLessThan(0.3);
    }
  });

  it('special characters in file names are not interpreted', async () => {
    for (const name of ['-y.wav', 'a:b.wav', 'per%d cent|é.wav', 'concat:x.wav']) {
      expect(await decodeSeconds(await makeFile(name)), name).toBeCloseTo(3, 1);
    }
  });

  it('the intact part of a truncated file is decoded', async () => {
    for (const name of ['whole.mp3', 'whole.flac', 'whole.ogg', 'whole.wav']) {
      const bytes = await readFile(
        await makeFile(name, '-f', 'lavfi', '-i', 'sine=frequency=440:duration=30'),
      );
      await writeFile(pathOf(`half-${name}`), bytes.subarray(0, Math.floor(bytes.length / 2)));
      const length = await decodeSeconds(pathOf(`half-${name}`));
      expect(length, name).toBeGreaterThan(8);
      expect(length, name).toBeLessThan(22);
    }
  });

  it('a file without audio is rejected with UndecodableAudioError', async () => {
    await writeFile(pathOf('empty.mp3'), '');
    await writeFile(pathOf('text.mp3'), 'Dear all, this is not music.\n'.repeat(500));
    await writeFile(pathOf('none.wav'), encodeWav(new Int16Array(0)));
    for (const name of ['empty.mp3', 'text.mp3', 'none.wav']) {
      const error: unknown = await decodeSeconds(pathOf(name)).catch((caught: unknown) => caught);
      expect(error, name).toBeInstanceOf(UndecodableAudioError);
    }
  });

  it('the error says whether a file is no media, is damaged or has no sound track', async () => {
    await writeFile(pathOf('text'), 'Dear all, this is not music.\n'.repeat(500));
    await writeFile(
      pathOf('random'),
      Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7919 + at * at * 31) % 251)),
    );
    await writeFile(pathOf('byte'), 'x');
    await makeFile('picture.png', '-f', 'lavfi', '-i', 'testsrc=d=1:s=64x64', '-frames:v', '1');
    const whole = await readFile(await makeFile('whole.m4a'));
    await writeFile(pathOf('half.m4a'), whole.subarray(0, Math.floor(whole.length / 2)));
    await writeFile(pathOf('header'), encodeWav(new Int16Array(16_000)).subarray(0, 40));
    for (const name of ['mp4', 'mkv', 'webm'])
      await makeFile(`silent-film.${name}`, '-f', 'lavfi', '-i', 'testsrc=d=1:s=64x64');
    const reasons = {
      'is no audio or video file': ['text', 'random', 'byte', 'picture.png'],
      'is damaged or incomplete': ['half.m4a', 'header'],
      'has no sound track': ['silent-film.mp4', 'silent-film.mkv', 'silent-film.webm'],
    };
    for (const [reason, names] of Object.entries(reasons))
      for (const name of names) {
        const error: unknown = await decodeSeconds(pathOf(name)).catch((caught: unknown) => caught);
        expect(error, name).toBeInstanceOf(UndecodableAudioError);
        expect((error as Error).message, name).toContain(`The file ${reason}`);
        expect((error as Error).message, name).not.toContain(folder);
      }
  });

  it('decoding stops when the audio exceeds the maximum duration', async () => {
    const path = await makeFile('plain.wav');
    await expect(decodeSeconds(path, { maxSeconds: 2 })).rejects.toBeInstanceOf(AudioTooLongError);
    expect(await decodeSeconds(path, { maxSeconds: 3 })).toBe(3);
  });

  it('the decoder does not open files or URLs that a playlist names', async () => {
    const tripwire = await Tripwire.create(folder, await readFile(await makeFile('other.wav')));
    onTestFinished(() => tripwire.close());
    const targets = buildPlaylistTargets(tripwire.path, tripwire.port);
    for (const [at, [write]] of PLAYLISTS.entries()) {
      // Every other combination, because starting a decoder is slow.
      for (const target of targets.filter((_, place) => (place + at) % 2 === 0)) {
        const name = `${at}.${FILE_EXTENSIONS[at]}`;
        await writeFile(pathOf(name), write?.(target, tripwire.port) ?? '');
        await expect(decodeSeconds(pathOf(name)), `${name} to ${target}`).rejects.toBeInstanceOf(
          UndecodableAudioError,
        );
      }
    }
    expect(await tripwire.readAccesses()).toEqual({ read: false, connections: 0 });
  });

  it.each([1, 100, 3_999])(
    'a file with a sample rate of %i does not expand into much more audio',
    async (rate) => {
      const samples = Int16Array.from({ length: 50_000 }, (_, at) => at % 4096);
      const wav = encodeWav(samples);
      wav.writeUInt32LE(rate, 24);
      wav.writeUInt32LE(2 * rate, 28);
      await writeFile(pathOf('slow.wav'), wav);
      const outcome: unknown = await decodeSeconds(pathOf('slow.wav')).catch((error: unknown) => error);
      expect(outcome).toBeInstanceOf(UndecodableAudioError);
    },
  );

  it('the output of a killed decoder is not taken for the whole file', async () => {
    const path = await makeSilence();
    const decodeWithSignal = async (signal: NodeJS.Signals): Promise<void> => {
      let killed = 0;
      for await (const block of decodeAudioToMono(path, { signal: neverAborted }))
        if (killed === 0 && block.length > 0) killed = signalDecoder(path, signal);
      expect(killed, signal).toBeGreaterThan(0);
    };
    for (const signal of ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      await expect(decodeWithSignal(signal), signal).rejects.toThrow('ffmpeg was ended');
    // A decoder may crash because of its file.
    await decodeWithSignal('SIGSEGV');
  });

  it('a decoder that is killed before its first output fails with ToolFailedError, not with an empty file', async () => {
    execFileSync('mkfifo', [pathOf('waits.wav')]);
    const work = decodeSeconds(pathOf('waits.wav')).catch((error: unknown) => error);
    await expect.poll(() => signalDecoder(pathOf('waits.wav'), 'SIGKILL')).toBeGreaterThan(0);
    expect(await work).toMatchObject({ name: 'ToolFailedError', signal: 'SIGKILL' });
  });

  it('an abort stops the decoder', async () => {
    const path = await makeSilence();
    const controller = new AbortController();
    const work = (async () => {
      for await (const block of decodeAudioToMono(path, { signal: controller.signal })) {
        if (block.length > 0) controller.abort(new Error('enough'));
      }
    })();
    await expect(work).rejects.toThrow('enough');
  });
});

describe('chunkAudioToSink', () => {
  it('silence produces no chunk', async () => {
    const path = await makeSilence();
    const summary = await chunkAudioToSink({ path, signal: neverAborted }, () =>
      Promise.reject(new Error('no chunk expected')),
    );
    expect(summary).toMatchObject({ duration: 600, declaredSeconds: null, speechSeconds: 0, chunks: 0 });
  });

  it('chunking waits for its sink and fails when the sink fails', async () => {
    const bursts = "aevalsrc='0.3*sin(2000*t)*lt(mod(t,4),1)':s=16000:d=60";
    const path = await makeFile('bursts.wav', '-f', 'lavfi', '-i', bursts);
    let open = 0;
    const starts: number[] = [];
    await chunkAudioToSink({ path, signal: neverAborted }, async (chunk) => {
      open += 1;
      expect(open).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      starts.push(chunk.start);
      open -= 1;
    });
    expect(starts).toHaveLength(15);
    starts.forEach((start, index) => expect(start).toBeCloseTo(Math.max(0, index * 4 - 0.3), 1));
    const full = new Error('disk full');
    const failing = chunkAudioToSink({ path, signal: neverAborted }, () => Promise.reject(full));
    await expect(failing).rejects.toThrow('disk full');
  });
});
