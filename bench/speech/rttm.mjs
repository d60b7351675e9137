/**
 * Who speaks when, as `SPEAKER` lines of the RTTM format tell it: file, channel, start and length in seconds, two
 * fields that are not used, name. Lines of other kinds are left out.
 *
 * @param {string} text
 * @returns {import('../lib/scorers.mjs').SpokenTurn[]}
 * @throws {RangeError} naming the line that has no times
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
