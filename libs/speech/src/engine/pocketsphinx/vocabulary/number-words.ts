const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** The ways in which a run of digits may be said, each as its words: as a number, in pairs (`2024`, `747`), digit by digit. */
export function spellOutDigits(digits: string): string[][] {
  const ways = [asPairs(digits), asNumber(digits), [...digits].map((digit) => UNITS[Number(digit)] ?? '')];
  const said = ways.filter((words) => words.length > 0);
  return [...new Map(said.map((words) => [words.join(' '), words])).values()];
}

function asNumber(digits: string): string[] {
  const value = Number(digits);
  if (digits.length > 4 || digits !== String(value)) return [];
  if (value < 100) return belowHundred(value);
  const [large, name] = value < 1000 ? [100, 'hundred'] : [1000, 'thousand'];
  const rest = value % large;
  return [...asNumber(String(Math.floor(value / large))), name, ...(rest > 0 ? asNumber(String(rest)) : [])];
}

/** Nineteen eighty four, seven forty seven. */
function asPairs(digits: string): string[] {
  if (digits.length !== 3 && digits.length !== 4) return [];
  const [front, back] = [digits.slice(0, -2), digits.slice(-2)];
  if (front.startsWith('0') || Number(back) < 10) return [];
  return [...belowHundred(Number(front)), ...belowHundred(Number(back))];
}

function belowHundred(value: number): string[] {
  if (value < 20) return [UNITS[value] ?? ''];
  const tens = TENS[Math.floor(value / 10) - 2] ?? '';
  return value % 10 === 0 ? [tens] : [tens, UNITS[value % 10] ?? ''];
}
