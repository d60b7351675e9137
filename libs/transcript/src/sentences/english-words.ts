export const parseWordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));

export const SUBJECT_WORDS = parseWordSet(
  "i you he she it we they there this that these those i'm you're he's she's it's we're they're i've we've they've i'll you'll he'll she'll we'll they'll i'd you'd he'd she'd we'd they'd there's that's",
);
export const PRONOUNS = parseWordSet('i you he she it we they');
export const DETERMINERS = parseWordSet(
  'the a an my your his her its our their this that these those some any every each no',
);
export const PREPOSITIONS = parseWordSet(
  'of in on at by for from with into onto about over under between among through during before after against without within to toward towards upon across near around',
);
export const AUXILIARIES = parseWordSet(
  "is are was were am be been being do does did have has had can could will would shall should may might must isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't can't couldn't won't wouldn't shouldn't",
);
/** No nouns, without a typical ending. */
export const VERBS_WITHOUT_ENDING = parseWordSet(
  'let went came said got made took saw knew thought told gave found felt left kept began became brought bought want like think know say see hope guess suppose cannot grew put ran set spent met heard read wrote sent thank',
);

/** Even if a pause follows. */
export const NON_FINAL_WORDS = parseWordSet(
  "a an the my your our their of and or but because if than very every into onto whose although while whereas unless i'm we're they're you're i've you've we've they've gonna wanna um uh er erm",
);

const CAPITALISED: ReadonlyMap<string, string> = new Map(
  [
    "I I'm I've I'll I'd",
    'Monday Tuesday Wednesday Thursday Friday Saturday Sunday',
    'January February April June July August September October November December',
  ]
    .join(' ')
    .split(' ')
    .flatMap((word): [string, string][] =>
      word.endsWith('day')
        ? [
            [word.toLowerCase(), word],
            [`${word.toLowerCase()}s`, `${word}s`],
            [`${word.toLowerCase()}'s`, `${word}'s`],
          ]
        : [[word.toLowerCase(), word]],
    ),
);
/** Months that are also everyday words. */
const DOUBTFUL_MONTHS: ReadonlyMap<string, string> = new Map([
  ['march', 'March'],
  ['may', 'May'],
]);
const BEFORE_A_MONTH = parseWordSet('in of last next since until by early late mid during');
const DAY_OF_MONTH =
  /^(\d{1,2}(st|nd|rd|th)?|first|second|third|(four|fif|six|seven|eigh|nin|ten|eleven|twelf|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twentie|thirtie)th|twenty|thirty)$/;

/** Null if the word is no exception. */
export function findSpellingOfDayMonthOrI(
  word: string,
  before: string | undefined,
  after: string | undefined,
): string | null {
  const sure = CAPITALISED.get(word);
  if (sure) return sure;
  const month = DOUBTFUL_MONTHS.get(word);
  if (!month) return null;
  const dated = BEFORE_A_MONTH.has(before ?? '') || DAY_OF_MONTH.test(after ?? '');
  return dated ? month : null;
}

/** Lower case, plain apostrophe. */
export function toLookupSpelling(word: string): string {
  return word.toLowerCase().replaceAll('’', "'");
}
