import { inTransaction } from '@app/database';
import { addOrRestartStages, buildChunkStageName, type ChunkOutput } from '@app/jobs';
import { MFCC_COEFFICIENT_COUNT } from '../../libs/speech/src/diarization/mfcc-extractor.js';
import {
  type AcousticWindow,
  encodeAcousticWindowsAsText,
} from '../../libs/speech/src/diarization/acoustic-window.js';
import type { World } from './job-world.js';

const CHUNK_SECONDS = 50;

const WORDS_PER_SECOND = 2.7;
const WINDOWS_PER_SECOND = 2;
/** Seconds after which the other speaker continues. */
const TURN_SECONDS = 12.5;
const VOCABULARY = 4_000;

/** Creates a job with `seconds` of a dialogue whose chunks are transcribed, so that only aggregation is pending. */
export async function createTranscribedJob(world: World, seconds: number): Promise<string> {
  const jobId = await world.newJob();
  const chunks = seconds / CHUNK_SECONDS;
  const stages = Array.from({ length: chunks }, (_, index) => ({
    name: buildChunkStageName(index),
    chunkIndex: index,
    input: { key: `chunk-${index}`, start: index * CHUNK_SECONDS, end: (index + 1) * CHUNK_SECONDS },
  }));
  await inTransaction(world.dataSource, async (tx) => {
    await tx.query('UPDATE job SET duration = $2 WHERE id = $1', [jobId, seconds]);
    await addOrRestartStages(tx, jobId, [...stages, { name: 'aggregation', chunkIndex: 0, input: null }]);
    for (const { name, chunkIndex } of stages) {
      const result = JSON.stringify(buildChunkOutput(chunkIndex));
      await tx.query(`UPDATE job_stage SET state = 'done', result = $3 WHERE job_id = $1 AND name = $2`, [
        jobId,
        name,
        result,
      ]);
    }
  });
  return jobId;
}

function buildChunkOutput(index: number): ChunkOutput {
  const words = Array.from({ length: CHUNK_SECONDS * WORDS_PER_SECOND }, (_, at) => ({
    text: `word${hash(index * 1_000 + at) % VOCABULARY}`,
    start: at / WORDS_PER_SECOND,
    end: (at + 0.8) / WORDS_PER_SECOND,
    confidence: 0.5 + (hash(at) % 1_000) / 2_000,
    language: null,
  }));
  return { language: 'en', words, voices: encodeAcousticWindowsAsText(generateVoices(index)) };
}

/** Two alternating voices, with random noise in each window. */
function generateVoices(chunk: number): AcousticWindow[] {
  return Array.from({ length: CHUNK_SECONDS * WINDOWS_PER_SECOND }, (_, at) => {
    const voice = Math.floor(at / (TURN_SECONDS * WINDOWS_PER_SECOND)) % 2;
    const scatter = (index: number): number => (hash(chunk * 7_919 + at * 31 + index) % 2_001) / 1_000 - 1;
    return {
      ...{ start: at / WINDOWS_PER_SECOND, end: (at + 1) / WINDOWS_PER_SECOND, frames: 25, voiced: 20 },
      pitch: 6.8 + voice * 0.8 + scatter(99) * 0.1,
      mean: new Float64Array(MFCC_COEFFICIENT_COUNT).map((_value, index) => voice * 4 + scatter(index) * 2),
    };
  });
}

/** A pseudo-random number from an index, evenly distributed. */
function hash(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
