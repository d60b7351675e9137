/** Words of common passwords, without those that contain another of them. Lower case. */
const COMMON_WORDS = new Set(
  `aaron abc access account admin adidas alex alexander amanda america andrea andrew angel animal anthony apple april
  arsenal asdf ashley august austin autumn azerty baby bailey banana barcelona baseball basketball batman beach
  bear beautiful beer blink blue bond boomer boston brandon buster butter camaro casper celtic change changeme
  charles charlie cheese chelsea chester chicago chicken chocolate chris christ christian coffee company computer
  console cookie cooper corvette cowboy crystal dallas daniel database david december default demo diamond dog dolphin
  dragon eagle edward elephant elizabeth eminem england enter family february ferrari fish flower football forever
  freedom friday friend friends galaxy gandalf george ginger girl god gold golden google green guest guitar
  hammer hannah happy harley heaven hello helpme hockey house hunter iceman iloveyou internet iverson jackson
  jaguar jasmine jason jennifer jessica jesus john jonathan jordan joseph joshua juice july june junior justin king kitty
  knight lakers lauren legend letmein liverpool login london love lovely lover loveyou lucky madison magic manager
  manchester manutd march maria marina marlboro martin master matrix matthew maverick mercedes merlin metallica michael
  michelle mickey midnight minecraft money monday monkey monster morgan mother mountain mustang naruto nascar natasha
  nathan newyork nicholas nicole nintendo nirvana november october office oliver orange ou812 pa55word packers pass
  passwd password patrick peanut pepper phoenix player please pokemon porsche princess private purple qazwsx qwer qwert
  qwerty rabbit rachel raiders rainbow ranger rebecca redsox richard robert rockstar root rosebud runner samantha
  samsung samuel saturday scooter scorpion secret secure september server service shadow shannon silver slayer smokey
  snoopy soccer sophie spider spiderman spring star starwars steelers steven strawberry student summer sunday sunflower
  sunshine super superman support sweet sweety system taylor teacher temp tennis test testing thomas thunder thursday
  tiger tigger trustno tuesday turtle unknown user vanessa victoria viking virginia voyager warrior wednesday welcome
  whatever william winner winter wizard wolf yamaha yankee yankees yellow zaq zxcv zxcvbn`
    .trim()
    .split(/\s+/),
);

/** Neighbours on keyboards, the alphabet and digits; in both directions. */
const RUNS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  '!@#$%^&*()_+',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'zaq12wsxcde34rfvbgt56yhnmju7',
  'zaq1xsw2cde3vfr4bgt5nhy6mju7ki8lo9p0',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '1a2b3c4d5e6f7g8h9i0j',
  'a1b2c3d4e5f6g7h8i9j0',
  'qazwsxedcrfvtgbyhnujmikolp',
].flatMap((run) => [run, [...run].toReversed().join('')]);

const MIN_RUN_LENGTH = 3;
const MAX_PIECE_LENGTH = 36;
const YEAR = /^(?:19|20)\d\d$/;

/** What people write for letters. */
const LETTERS: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** Guesses are tried in this order: a common word, a run or a repetition is found as fast as two random characters. */
const PIECE_WEIGHT = 2;
const MIN_WEIGHT = 8;

/**
 * Whether programs that guess passwords try this one early: it consists of common words, years, neighbours on the
 * keyboard, repetitions and few other characters.
 * @param contextWords words that others know of the user, such as parts of the name
 */
export function isEasilyGuessed(password: string, contextWords: readonly string[] = []): boolean {
  const words = new Set(contextWords.map((word) => word.toLowerCase()).filter((word) => word.length > 3));
  return computeWeight(password.toLowerCase(), words) < MIN_WEIGHT;
}

/** The least number of characters that a guesser has to try, with each predictable piece as two of them. */
function computeWeight(text: string, contextWords: ReadonlySet<string>): number {
  const weights = [0];
  for (let end = 1; end <= text.length; end += 1) {
    let least = (weights[end - 1] ?? 0) + 1;
    for (let start = Math.max(0, end - MAX_PIECE_LENGTH); start <= end - MIN_RUN_LENGTH; start += 1) {
      const weight = (weights[start] ?? 0) + PIECE_WEIGHT;
      if (weight < least && isPredictable(text.slice(start, end), contextWords)) least = weight;
      const unit = findRepeatedUnit(text.slice(start, end));
      if (unit !== null) least = Math.min(least, (weights[start] ?? 0) + unit.length + 1);
    }
    weights.push(least);
  }
  return weights.at(-1) ?? 0;
}

function isPredictable(piece: string, contextWords: ReadonlySet<string>): boolean {
  if (YEAR.test(piece) || RUNS.some((run) => run.includes(piece))) return true;
  return [piece, toLetters(piece)].some((word) => COMMON_WORDS.has(word) || contextWords.has(word));
}

function toLetters(piece: string): string {
  return [...piece].map((character) => LETTERS[character] ?? character).join('');
}

/** @returns what the piece repeats, such as `ab` of `ababab` */
function findRepeatedUnit(piece: string): string | null {
  return /^(.+?)\1+$/.exec(piece)?.[1] ?? null;
}
