import { SingleBar } from 'cli-progress';
import { formatSize } from '../format-size.js';

/** Shows how far a file is. */
export interface DownloadProgress {
  /** @returns what is to be told the bytes that are there */
  begin(name: string, bytes: number): (there: number) => void;
  end(): void;
}

const STEPS = 10;

/** A bar on a terminal, else a line at every tenth. Written to standard error, so that answers stay clean. */
export function createDownloadProgress(stream: NodeJS.WriteStream): DownloadProgress {
  return stream.isTTY ? createBarProgress(stream) : createLineProgress((line) => stream.write(`${line}\n`));
}

function createBarProgress(stream: NodeJS.WriteStream): DownloadProgress {
  let shown: SingleBar | undefined;
  return {
    begin(name, bytes) {
      const format = `${name} {bar} {percentage}% of ${formatSize(bytes)}, {eta_formatted} left`;
      shown = new SingleBar({ format, stream, hideCursor: true, etaBuffer: 50, barsize: 30 });
      shown.start(bytes, 0);
      return (there) => shown?.update(there);
    },
    end() {
      shown?.stop();
      shown = undefined;
    },
  };
}

export function createLineProgress(write: (line: string) => void): DownloadProgress {
  return {
    begin(name, bytes) {
      let last = -1;
      return (there) => {
        const step = Math.floor((there / bytes) * STEPS);
        if (step === last) return;
        last = step;
        write(`${name}: ${step * (100 / STEPS)} % of ${formatSize(bytes)}`);
      };
    },
    end() {},
  };
}
