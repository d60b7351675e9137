import { SingleBar } from 'cli-progress';
import { formatSize } from '../../output.js';

export interface DownloadProgressReporter {
  /** @returns a callback for the number of downloaded bytes */
  begin(name: string, bytes: number): (downloaded: number) => void;
  end(): void;
}

const STEPS = 10;

/** Shows a bar on a terminal, otherwise a line for each tenth. */
export function createDownloadProgressReporter(stream: NodeJS.WriteStream): DownloadProgressReporter {
  return stream.isTTY
    ? createBarProgress(stream)
    : createLineProgressReporter((line) => stream.write(`${line}\n`));
}

function createBarProgress(stream: NodeJS.WriteStream): DownloadProgressReporter {
  let bar: SingleBar | undefined;
  return {
    begin(name, bytes) {
      const format = `${name} {bar} {percentage}% of ${formatSize(bytes)}, {eta_formatted} left`;
      bar = new SingleBar({ format, stream, hideCursor: true, etaBuffer: 50, barsize: 30 });
      bar.start(bytes, 0);
      return (downloaded) => bar?.update(downloaded);
    },
    end() {
      bar?.stop();
      bar = undefined;
    },
  };
}

export function createLineProgressReporter(write: (line: string) => void): DownloadProgressReporter {
  return {
    begin(name, bytes) {
      let last = -1;
      return (downloaded) => {
        const step = Math.floor((downloaded / bytes) * STEPS);
        if (step === last) return;
        last = step;
        write(`${name}: ${step * (100 / STEPS)} % of ${formatSize(bytes)}`);
      };
    },
    end() {},
  };
}
