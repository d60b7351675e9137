import { writeFile } from 'node:fs/promises';
import { encodeWav } from '@app/speech';
import type { StoredJobAudioDownloader } from '../../apps/processor/src/preprocess/stored-job-audio-downloader.js';

/** An audio source that returns the same sound for every job, 16 kHz mono. */
export function createAudioSource(samples: Int16Array): StoredJobAudioDownloader {
  const wav = encodeWav(samples);
  return {
    fetchToFile: async (_: unknown, path: string) => {
      await writeFile(path, wav);
      return wav.length;
    },
  } as unknown as StoredJobAudioDownloader;
}
