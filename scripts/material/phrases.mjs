/**
 * Sentences of generated dialogues. All words are in the usual English pronouncing dictionaries, so that a recogniser can
 * know them.
 */

/** About a second each, for the end of a dialogue. */
export const SHORT_SENTENCES = [
  'That is very kind of you.',
  'You are right about that.',
  'We did a good job today.',
  'How long will it take?',
  'You have been a great help.',
  'I would like that very much.',
];

export const PATTERNS = [
  'We should look at the {thing} before the {people} come back in the {time}.',
  'My {relative} has had a {quality} {thing} in the {place} for many years.',
  'There is a big {thing} in front of the {place}, next to the old {other}.',
  'The radio said that the {place} is going to be very cold this {time}.',
  'Then we should meet in the {place}, next to the {quality} {thing}.',
  'In the {time} we can show the {people} how to use the {thing}.',
  'When I was a child, my {relative} used to work in that {place} every {day}.',
  'I believe that the {people} will be in the {place} on {day}.',
  'My {relative} has left the {thing} near the {place}, in front of the {other}.',
  'It should take less than {number} minutes to get from the {place} to the {other}.',
  'I can see the {place} and the {quality} {other} from here.',
  'What happens when the {people} want to buy {number} {plural}?',
  'He always knew when it was going to rain in the {place}.',
  'There are {number} {plural} between the {place} and the {other}.',
  'Everything in the {place} is ready now, except for the {quality} {thing}.',
  'Next {day} we can put another {thing} near the {place}.',
];

/** The words for the gaps of the patterns. @type {Record<string, readonly string[]>} */
export const WORDS = {
  thing: ['computer', 'table', 'radio', 'camera', 'piano', 'basket', 'hammer', 'ladder'],
  plural: ['computers', 'tables', 'letters', 'cameras', 'tickets', 'buildings'],
  place: ['garden', 'kitchen', 'museum', 'library', 'village', 'station', 'hotel', 'office', 'hospital'],
  other: ['river', 'airport', 'market', 'mountain', 'bridge', 'university', 'theater', 'station'],
  people: ['children', 'teachers', 'students', 'neighbors', 'visitors', 'engineers', 'musicians'],
  relative: ['brother', 'sister', 'neighbor', 'grandfather', 'family', 'teacher', 'uncle'],
  quality: ['beautiful', 'wonderful', 'small', 'big', 'very expensive', 'different'],
  time: ['morning', 'evening', 'afternoon', 'summer', 'spring', 'winter'],
  day: ['Monday', 'Tuesday', 'Friday', 'Saturday', 'Sunday'],
  number: ['three', 'five', 'six', 'fifteen', 'sixteen', 'eleven', 'ninety'],
};
