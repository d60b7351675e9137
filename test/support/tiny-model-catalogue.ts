import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeModel } from '../../scripts/material/onnx/library.mjs';

interface ModelRating {
  rank: number;
  minWordsRight: number;
}

/** Tiny models in a catalogue of their own, with a server that has their files. */
export class TinyModelCatalogue {
  private constructor(
    private readonly folder: string,
    private readonly server: Server,
  ) {}

  /** @param ratings by the name of a model of `scripts/material/onnx`; null for auxiliary models */
  static async start(ratings: Record<string, ModelRating | null>): Promise<TinyModelCatalogue> {
    const folder = await mkdtemp(join(tmpdir(), 'zephyr-catalogue-'));
    const entries: object[] = [];
    for (const [name, rating] of Object.entries(ratings)) {
      const manifest = JSON.parse(
        await readFile(join(await makeModel(folder, name), 'model.json'), 'utf8'),
      ) as { files: { path: string }[] };
      const files = manifest.files.map((file) => ({
        ...file,
        url: `https://models.example/${name}/${file.path}`,
      }));
      entries.push({ ...manifest, files, about: 'for tests', ...(rating && { rating }) });
    }
    await writeFile(join(folder, 'catalogue.json'), JSON.stringify(entries));
    const server = createServer((request, response) => {
      readFile(join(folder, request.url ?? '')).then(
        (bytes) => response.end(bytes),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TinyModelCatalogue(folder, server);
  }

  get environment(): { MODELS_CATALOGUE: string; MODELS_MIRROR: string } {
    const { port } = this.server.address() as AddressInfo;
    return {
      MODELS_CATALOGUE: join(this.folder, 'catalogue.json'),
      MODELS_MIRROR: `http://127.0.0.1:${port}`,
    };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await rm(this.folder, { recursive: true });
  }
}
