/**
 * A sentence with a name that is missing or rare in the vocabulary of a recogniser: a product, medicine, company or
 * surname. spokenText respells names for the synthesiser. No name was chosen by how well it is recognised.
 *
 * @typedef {{ term: string, text: string, spokenText: string }} NamedSentence
 */

const PRODUCTS = [
  ['Terraform', 'We write all of it in {} this year.'],
  ['Grafana', 'Please put the {} page on the big screen.'],
  ['Postgres', 'The numbers are kept in {} for ten years.', 'post gress'],
  ['Figma', 'She made the first page in {} on Monday.'],
  ['Zendesk', 'All letters from the visitors go to {} first.', 'zen desk'],
  ['Shopify', 'They sell their tables with {} and by telephone.', 'shop if eye'],
  ['Ansible', 'The computers in the office were set up with {} last week.'],
  ['Datadog', 'The bill from {} came on Friday.'],
  ['Elasticsearch', 'You can find every letter with {} in a second.', 'elastic search'],
  ['Kubeflow', 'The students wanted to try {} in the summer.', 'cube flow'],
  ['Raspberry Pi', 'My brother has a {} behind the radio.', 'raspberry pie'],
  ['Nextcloud', 'The pictures of the garden are on {} now.', 'next cloud'],
  ['Metformin', 'The doctor said that {} should be taken in the evening.'],
  ['Atorvastatin', 'My grandfather takes {} every morning.'],
  ['Lisinopril', 'She was given {} after the winter.'],
  ['Amlodipine', 'The hospital had no more {} on Sunday.'],
  ['Sertraline', 'He asked the doctor about {} before he left.'],
  ['Brightwell Logistics', 'The contract with {} ends in the spring.'],
  ['Ferrovia', 'We took the train of {} to the airport.'],
  ['Nordhaven', 'The people of {} built the new bridge.'],
];

const SURNAMES = [
  ['Szymanski', 'Mister {} will open the museum.', 'shimanski'],
  ['Okonkwo', 'The letter came from Doctor {} this morning.'],
  ['Papadopoulos', 'Ask Miss {} how long it will take.'],
  ['Bhattacharya', 'Professor {} has a small office near the library.'],
  ['Oyelaran', 'The tickets are for Mister {} and his family.'],
  ['Lindqvist', 'The piano was built by {} many years ago.', 'lindkvist'],
  ['Petrosyan', 'I met Doctor {} in front of the station.'],
  ['Achterberg', 'The hotel belongs to Miss {} and her sister.'],
  ['Adeyemi', 'The teacher of the children is called {} now.'],
  ['Chakraborty', 'Mister {} showed us the old market.'],
  ['Castellanos', 'We had a good talk with {} in the kitchen.'],
  ['Hakimi', 'The engineers work for Mister {} at the river.'],
  ['Brzezinski', 'Professor {} came back in the afternoon.', 'brezinski'],
  ['Wojciechowski', 'The uncle of Miss {} lives in the village.', 'voy che hoff ski'],
  ['Thorvaldsen', 'The stone in the garden is by {} himself.'],
  ['Ramachandran', 'You should write to Doctor {} before Friday.'],
  ['Mukherjee', 'Mister {} has been a great help.', 'mooker jee'],
  ['Eriksdotter', 'The camera was a present from Miss {} last summer.', 'erics dotter'],
  ['Vanterpool', 'The meeting with {} is in the evening.'],
  ['Zabriskie', 'I believe that {} will be in the office on Tuesday.'],
];

/** @type {NamedSentence[]} */
export const NAMED_SENTENCES = [...PRODUCTS, ...SURNAMES].map(([term, pattern, respelling = term]) => ({
  term,
  text: pattern.replace('{}', term),
  spokenText: pattern.replace('{}', respelling),
}));

const BEGINNINGS = 'bran calli dorve elmi fresca gantu hollis jurra keldor lumbri'.split(' ');
const MIDDLES = 'monda nerro pilta quist rando sellik tovar umbo vindel wexa'.split(' ');
/** Of the lists from 20 on. */
const OTHER_MIDDLES = 'bassi corro denda fimmel ganto lisker mortan pelva ruska tindel'.split(' ');
const ENDINGS = ['', 'x', 'ville', ' Systems', ' Partners'];
/** For beginnings that `BEGINNINGS` does not contain. */
const ONSETS = 'm n p r s t v w z bl dr gr kl pl pr sk sl sp st tr'.split(' ');
const RIMES = BEGINNINGS.map((beginning) => beginning.replace(/^[^aeiou]+/, ''));

/** Five hundred invented names, always the same, that occur in no recording. */
export const MADE_UP_NAMES = combineNames(BEGINNINGS, MIDDLES);

/**
 * Makes another list of five hundred invented names. The first forty lists have no name in common.
 *
 * @param {number} list index of the list
 */
export function makeUpNames(list) {
  const beginnings = RIMES.map((rime, at) => `${ONSETS[(list + at) % ONSETS.length]}${rime}`);
  return combineNames(beginnings, list < ONSETS.length ? MIDDLES : OTHER_MIDDLES);
}

/** @param {string[]} beginnings @param {string[]} middles */
function combineNames(beginnings, middles) {
  return beginnings.flatMap((first) =>
    middles.flatMap((middle) => ENDINGS.map((ending) => `${first}${middle}${ending}`)),
  );
}
