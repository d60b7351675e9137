import { parseWordSet } from './english-words.js';

/** Names that are never common words, unlike "polish", "turkey" and "nice". */
const NAMES = new Set([
  ...parseWordSet(
    'afghanistan africa america argentina asia australia austria belgium brazil britain bulgaria california cambodia canada colombia croatia cuba denmark egypt england estonia ethiopia europe finland florida france germany greece hungary iceland india indonesia iran iraq ireland israel italy jamaica japan kenya korea latvia libya lithuania malaysia mexico morocco netherlands nigeria norway pakistan peru philippines poland portugal romania russia scotland serbia singapore slovakia slovenia spain sudan sweden switzerland syria taiwan tanzania texas thailand tunisia uganda ukraine venezuela vietnam yugoslavia zimbabwe',
  ),
  ...parseWordSet(
    'african american arab arabic argentinian asian australian austrian belgian brazilian british bulgarian canadian chinese christian croatian cuban czech danish dutch egyptian english estonian european finnish french german greek hebrew hungarian indian indonesian iranian iraqi irish israeli italian japanese jewish korean latin latvian lithuanian mexican moroccan muslim nigerian norwegian pakistani persian portuguese romanian russian scottish serbian slovak slovenian spanish swedish swiss syrian thai tunisian turkish ukrainian vietnamese welsh',
  ),
  ...parseWordSet(
    'amsterdam athens atlanta baghdad bangkok barcelona beijing berlin boston brussels budapest cairo chicago copenhagen dallas delhi denver detroit dublin edinburgh frankfurt geneva glasgow hamburg helsinki houston istanbul jerusalem johannesburg kiev lisbon london madrid manchester melbourne miami milan montreal moscow mumbai munich nairobi oslo paris philadelphia prague rome seattle seoul shanghai stockholm sydney tokyo toronto vancouver vienna warsaw washington zurich',
  ),
  ...parseWordSet(
    'alexander andrew anna barbara charles christopher daniel david edward elizabeth emma george helen james jennifer joseph julia karen laura linda margaret maria mary matthew michael nancy nicholas patricia paul rebecca richard robert sarah stephen susan thomas william',
  ),
  ...parseWordSet('christmas halloween jesus mr mr. mrs mrs. ms. dr. prof.'),
]);
/** Two-word names whose parts alone are no names. */
const TWO_WORD_NAMES = parseWordSet(
  'new_york new_zealand new_jersey new_orleans new_delhi los_angeles las_vegas san_francisco san_diego united_states united_kingdom united_nations great_britain saudi_arabia hong_kong sri_lanka costa_rica puerto_rico buenos_aires',
);
/** A spelled letter, as the embedded engine writes it. */
const SPELLED_LETTER = /^\p{Ll}\.('?s)?$/u;

/** Names, titles and spelled letters, as in "london", "mr.", the letters of "u. s.". @param word lower case */
export function needsCapital(word: string, before: string, after: string): boolean {
  if (SPELLED_LETTER.test(word)) return !isAmOrPm(word, after) && !isAmOrPm(before, word);
  if (TWO_WORD_NAMES.has(`${before}_${word}`) || TWO_WORD_NAMES.has(`${word}_${after}`)) return true;
  const name = word.replace(/'s$/, '');
  return NAMES.has(name) || (name.endsWith('ans') && NAMES.has(name.slice(0, -1)));
}

/** "a. m." and "p. m." are not capitalized. */
function isAmOrPm(first: string, second: string): boolean {
  return (first === 'a.' || first === 'p.') && second === 'm.';
}
