import { open as openFile } from 'node:fs';
import { type FileHandle, open, rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runTool } from '../../tool/run-tool.js';
import { createScratchDirectory } from '../../tool/scratch-directory.js';
import type { Tool } from '../../tool/tool.js';
import { encodeWav } from '../../wav/wav.js';

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

const MKFIFO: Tool = { name: 'mkfifo', install: 'It is part of every Unix system.' };
const LIMITS = { memoryBytes: 256 * 1024 * 1024, cpuSeconds: 5, fileBytes: 0, wallSeconds: 30 };

const openDescriptor = promisify(openFile);

/**
 * The way to and from a program that reads one file line by line and writes another: both are named pipes. (Its standard
 * input would not do: that is a socket here, which cannot be opened by name.)
 *
 * Both ends are opened for reading and writing, so that no opening waits for the other side and neither side sees an
 * end before `close`.
 */
export class NamedPipes {
  private constructor(
    /** For the program to read. */
    readonly inputPath: string,
    /** For the program to write; it may open it more than once. */
    readonly outputPath: string,
    private readonly to: FileHandle,
    readonly output: Socket,
  ) {}

  /** In `folder`, where they are called `to` and `from`. Throws as `runTool` does, and what the file system says. */
  static async create(folder: string, signal: AbortSignal): Promise<NamedPipes> {
    const [toPath, fromPath] = [join(folder, 'to'), join(folder, 'from')];
    await runTool({ tool: MKFIFO, args: [toPath, fromPath], limits: LIMITS, signal, folder });
    const to = await open(toPath, 'r+');
    try {
      const fd = await openDescriptor(fromPath, 'r+');
      return new NamedPipes(toPath, fromPath, to, new Socket({ fd, readable: true, writable: false }));
    } catch (error) {
      await to.close();
      throw error;
    }
  }

  /** Short lines only: what does not fit into the pipe (64 KiB) would wait for the program to read. */
  async write(line: string): Promise<void> {
    await this.to.write(line);
  }

  async close(): Promise<void> {
    this.output.destroy();
    await this.to.close();
  }
}
