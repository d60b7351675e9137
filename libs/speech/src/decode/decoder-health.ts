import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '../tool/run-tool.js';
import { createScratchDirectory } from '../tool/scratch-directory.js';
import { type ExternalTool, locateRequiredTool } from '../tool/tool.js';
import { BYTES_PER_SAMPLE, SAMPLE_RATE } from '../wav/pcm.js';
import { encodeWav } from '../wav/wav.js';
import { DecoderUnavailableError } from './audio-errors.js';
import { buildFfmpegArguments } from './ffmpeg-arguments.js';

export const FFMPEG_TOOL: ExternalTool = {
  name: 'ffmpeg',
  install: 'Install it with `apt install ffmpeg` (Debian, Ubuntu) or `brew install ffmpeg` (macOS).',
};

/** Of address space, libraries included. */
export const DECODER_MEMORY_BYTES = 512 * 1024 * 1024;

/** Whether this machine can decode. Decoding costs more than looking for ffmpeg, so it is only tried after a failure. */
export class DecoderHealth {
  private hasFailed = false;

  constructor(
    private readonly locate: () => Promise<unknown>,
    private readonly decodeSample: () => Promise<unknown>,
  ) {}

  reportFailedStart(): void {
    this.hasFailed = true;
  }

  /** @throws like `locate`; after a failure like `decodeSample`, until it succeeds */
  async check(): Promise<void> {
    await this.locate();
    if (!this.hasFailed) return;
    await this.decodeSample();
    this.hasFailed = false;
  }

  /** Distinguishes a file that cannot be decoded from an ffmpeg that can decode none. @throws DecoderUnavailableError */
  async assertDecodesSample(): Promise<void> {
    try {
      await this.decodeSample();
    } catch (cause) {
      this.hasFailed = true;
      throw new DecoderUnavailableError('ffmpeg cannot decode a valid file.', { cause });
    }
  }
}

const SAMPLE_SECONDS = 0.1;

/**
 * Decodes a tenth of a second of silence like the files of callers.
 * @throws ToolMissingError; ToolFailedError or ToolTimeoutError if ffmpeg does not start in its sandbox, or lacks a filter or format;
 *   Error if it writes too little
 */
export async function decodeSampleOfSilence(): Promise<void> {
  const folder = await createScratchDirectory();
  try {
    const path = join(folder, 'silence.wav');
    await writeFile(path, encodeWav(new Int16Array(SAMPLE_SECONDS * SAMPLE_RATE)));
    const decoded = await runTool({
      tool: FFMPEG_TOOL,
      args: buildFfmpegArguments(path),
      reads: [path],
      limits: { memoryBytes: DECODER_MEMORY_BYTES, cpuSeconds: 10, fileBytes: 0, wallSeconds: 10 },
      signal: new AbortController().signal,
    });
    if (decoded.length < SAMPLE_SECONDS * SAMPLE_RATE * BYTES_PER_SAMPLE)
      throw new Error(`ffmpeg wrote ${decoded.length} bytes for ${SAMPLE_SECONDS} s of audio.`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const decoderHealth = new DecoderHealth(() => locateRequiredTool(FFMPEG_TOOL), decodeSampleOfSilence);

/** @throws ToolMissingError; after a failure like `decodeSampleOfSilence`, until it succeeds */
export function checkDecoder(): Promise<void> {
  return decoderHealth.check();
}
