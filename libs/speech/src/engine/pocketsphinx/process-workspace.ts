import { open as openFile } from 'node:fs';
import { type FileHandle, open, rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runTool } from '../../tool/run-tool.js';
import { createScratchDirectory } from '../../tool/scratch-directory.js';
import type { ExternalTool } from '../../tool/tool.js';
import { encodeWav } from '../../wav/wav.js';

export const SILENCE_UTTERANCE_NAME = 'silence';

/** Never reused for another process. */
export class ProcessWorkspace {
  private constructor(
    readonly folder: string,
    readonly pipes: NamedPipeConnection,
  ) {}

  /** @throws like `NamedPipeConnection.create`; file system errors */
  static async create(signal: AbortSignal): Promise<ProcessWorkspace> {
    const folder = await createScratchDirectory();
    let pipes: NamedPipeConnection | undefined;
    try {
      pipes = await NamedPipeConnection.create(folder, signal);
      await writeFile(join(folder, `${SILENCE_UTTERANCE_NAME}.wav`), encodeWav(new Int16Array()));
      pipes.output.setEncoding('utf8');
      return new ProcessWorkspace(folder, pipes);
    } catch (error) {
      await pipes?.close();
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.pipes.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

const MKFIFO: ExternalTool = { name: 'mkfifo', install: 'It is part of every Unix system.' };
const LIMITS = { memoryBytes: 256 * 1024 * 1024, cpuSeconds: 5, fileBytes: 0, wallSeconds: 30 };

const openDescriptor = promisify(openFile);

/**
 * Named pipes to and from a program that reads one file line by line and writes another. (Its standard input is a
 * socket here, which cannot be opened by path.) Both ends are opened for reading and writing, so opening never blocks
 * and neither side sees an end of file before `close`.
 */
export class NamedPipeConnection {
  private constructor(
    readonly inputPath: string,
    /** The program may open it more than once. */
    readonly outputPath: string,
    private readonly to: FileHandle,
    readonly output: Socket,
  ) {}

  /** @throws like `runTool`; file system errors */
  static async create(folder: string, signal: AbortSignal): Promise<NamedPipeConnection> {
    const [toPath, fromPath] = [join(folder, 'to'), join(folder, 'from')];
    await runTool({ tool: MKFIFO, args: [toPath, fromPath], limits: LIMITS, signal, folder });
    const to = await open(toPath, 'r+');
    try {
      const fd = await openDescriptor(fromPath, 'r+');
      return new NamedPipeConnection(
        toPath,
        fromPath,
        to,
        new Socket({ fd, readable: true, writable: false }),
      );
    } catch (error) {
      await to.close();
      throw error;
    }
  }

  /** Short lines only: beyond the pipe's capacity (64 KiB) it blocks until the program reads. */
  async write(line: string): Promise<void> {
    await this.to.write(line);
  }

  async close(): Promise<void> {
    this.output.destroy();
    await this.to.close();
  }
}
