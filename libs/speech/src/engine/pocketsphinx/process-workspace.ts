import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createScratchDirectory } from '../../tool/scratch-directory.js';
import { encodeWav } from '../../wav/wav.js';
import { NamedPipes } from './named-pipes.js';

/** Name of an utterance without sound. */
export const SILENCE_UTTERANCE = 'silence';

/** Where a program that is kept finds what it hears: a folder, and the pipes to and from it. No other program gets it. */
export class ProcessWorkspace {
  private constructor(
    readonly folder: string,
    readonly pipes: NamedPipes,
  ) {}

  /** Throws as `NamedPipes.make`, and what the file system says. */
  static async create(signal: AbortSignal): Promise<ProcessWorkspace> {
    const folder = await createScratchDirectory();
    let pipes: NamedPipes | undefined;
    try {
      pipes = await NamedPipes.create(folder, signal);
      await writeFile(join(folder, `${SILENCE_UTTERANCE}.wav`), encodeWav(new Int16Array()));
      pipes.output.setEncoding('utf8');
      return new ProcessWorkspace(folder, pipes);
    } catch (error) {
      await pipes?.close();
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Removes all that is in it. */
  async close(): Promise<void> {
    await this.pipes.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
