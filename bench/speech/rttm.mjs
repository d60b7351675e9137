/**
 * Parses speaker turns from the `SPEAKER` lines of an RTTM file: file, channel, start and length in seconds, two unused
 * fields, name. Other lines are ignored.
 *
 * @param {string} text
 * @returns {import('../lib/scorers.mjs').SpokenTurn[]}
 * @throws {RangeError} with the number of an incomplete line
 */
export function parseRttm(text) {
  const lines = text
    .split(/\r?\n/)
    .map((line, index) => ({ fields: line.trim().split(/\s+/), number: index + 1 }));
  return lines
    .filter(({ fields }) => fields[0] === 'SPEAKER')
    .map(({ fields, number }) => {
      const [start, length] = [Number(fields[3]), Number(fields[4])];
      if (!(start >= 0 && length >= 0) || fields[7] === undefined)
        throw new RangeError(`Line ${number} lacks a start, a length or a name.`);
      return { speaker: fields[7], start, end: start + length };
    });
}
