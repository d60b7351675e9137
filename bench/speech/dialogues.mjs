import { makeDialogue } from '../../scripts/material/library.mjs';

const SEED = 301;
const MINUTE = 60;

/** Synthetic dialogues. @param {{ quick: boolean, long: boolean }} length */
export function makeDialogueRecordings({ quick, long }) {
  if (quick) return makeRecordings([1, 3].map((voices) => ({ seconds: MINUTE, voices })));
  const fiveMinutes = [1, 2, 3, 4].map((voices) => ({ seconds: 5 * MINUTE, voices }));
  const thirtyMinutes = [{ seconds: 30 * MINUTE, voices: 3 }];
  const hours = long ? [2, 4].map((voices) => ({ seconds: 60 * MINUTE, voices })) : [];
  return makeRecordings([...fiveMinutes, ...thirtyMinutes, ...hours]);
}

/**
 * @param {{ seconds: number, voices: number }[]} requests
 * @returns {Promise<import('./measure-recording.mjs').Recording[]>}
 */
function makeRecordings(requests) {
  return Promise.all(
    requests.map(async ({ seconds, voices }) => {
      const { path, duration, turns } = await makeDialogue({ seconds, voices, seed: SEED });
      const name = `flite, ${voices === 1 ? '1 voice' : `${voices} voices`}, ${seconds / MINUTE} min`;
      return { name, path, plain: path, duration, turns, text: turns.map(({ text }) => text).join(' ') };
    }),
  );
}
