export interface NamedSentence {
  /** The name as it is written. */
  term: string;
  /** The sentence for the voice to read. */
  spokenText: string;
}

/** A name, a sentence with `{}` in its place, and a respelling for the voice if it would mispronounce the name. */
type Row = readonly [term: string, pattern: string, respelling?: string];

/*
 * Respellings make the voices pronounce the names approximately like speakers of their language. For the first two
 * groups docs/speech/vocabulary.md has the results before pronunciation rules were written or changed.
 */

const MIXED_LANGUAGES: readonly Row[] = [
  ['Kaczmarek', 'Mister {} has the keys to the house.', 'katch mareck'],
  ['Wisniewski', 'We had dinner with Doctor {} on Saturday.', 'vish nee eff ski'],
  ['Dabrowski', 'The boat was sold to Mister {} in the autumn.', 'dom broff ski'],
  ['Jankowski', 'The windows were paid for by {} last year.', 'yan koff ski'],
  ['Grzegorczyk', 'Miss {} teaches history at the college.', 'guh zhegor chick'],
  ['Wroclaw', 'They moved to {} when the war was over.', 'vrots loff'],
  ['Soderqvist', 'The captain of the ship was {} at the time.', 'soderkvist'],
  ['Ahlqvist', 'My neighbour {} plays the violin.', 'allkvist'],
  ['Bjorklund', 'The forest belongs to Miss {} and her brother.', 'byork lund'],
  ['Hjalmarsson', 'The doctor wrote to {} about the medicine.', 'yalmer son'],
  ['Kristianstad', 'The train to {} leaves at nine.'],
  ['Westerhaven', 'The ferry stops at {} before noon.'],
  ['Schwarzenbach', 'Professor {} gave the last lecture.', 'schwartsen bock'],
  ['Wiedemann', 'The bakery of {} is next to the church.', 'veeda mon'],
  ['Waldheim', 'The painting was found by {} in a cellar.', 'vald hime'],
  ['Jaeger', 'Doctor {} cannot come before Thursday.', 'yay gurr'],
  ['Zollinger', 'The farm of {} has forty cows.', 'tsolling er'],
  ['Breitenfeld', 'The road to {} is closed because of snow.', 'brighten felt'],
  ['Villanueva', 'The lawyer of Mister {} was late again.', 'vilya noo ava'],
  ['Quinones', 'The children like Miss {} very much.', 'keen yo ness'],
  ['Trujillo', 'We spent the holidays in {} with friends.', 'troo hee yo'],
  ['Guanajuato', 'The wine comes from {} in the south.', 'gwanna hoo ahto'],
  ['Bevilacqua', 'The restaurant is owned by {} and his wife.', 'bevvy lock wa'],
  ['Cecchini', 'The song was written by {} in one night.', 'check keeny'],
  ['Guicciardini', 'The book about {} is on the table.', 'gweet char deeny'],
  ['Schiavone', 'The judge told Mister {} to wait outside.', 'skee ah vony'],
  ['Krishnamurthy', 'Doctor {} looked at the pictures twice.'],
  ['Deshpande', 'The flowers are for Miss {} and her mother.', 'desh pon day'],
  ['Vijayakumar', 'The bridge was planned by {} himself.', 'vee jay a kumar'],
  ['Xiaoming', 'My friend {} comes home in August.', 'shau ming'],
  ['Qianlong', 'The vase is from the time of {} they say.', 'chee en long'],
  ['Zhengzhou', 'The factory in {} makes telephones.', 'jeng joe'],
  ['Tsukamoto', 'The garden was made by {} and his sons.', 'soo ka moto'],
  ['Watanabe', 'Please call Mister {} after lunch.', 'wata nobby'],
  ['Kobayashi', 'The second prize went to Miss {} this time.'],
  ['Ozdemir', 'Professor {} speaks about the sea tonight.'],
  ['Celikoglu', 'The carpets were bought from {} in spring.', 'chelly coe loo'],
  ['Yildirim', 'The driver asked {} for the address.'],
  ['Mwangi', 'The race was won by {} in the rain.', 'muh wangy'],
  ['Szabo', 'The piano teacher is called {} I think.', 'sobbo'],
  ['Goncalves', 'The ladder belongs to Mister {} next door.', 'gone sal vess'],
  ['Quandora', 'The sales people work with {} every day.'],
  ['Zylotrex', 'The nurse gave him {} at midnight.'],
  ['Nuvexa', 'The new printer is made by {} in Spain.'],
  ['Cloudhaven', 'All our old letters are kept at {} now.', 'cloud haven'],
  ['Stonebridge Capital', 'The money comes from {} in London.'],
  ['Lambdaworks', 'Both brothers used to work at {} before.', 'lambda works'],
  ['Omeprazole', 'She takes {} before breakfast.'],
  ['Rivaroxaban', 'The doctor changed it to {} in March.'],
  ['Kestrel Hosting', 'The web pages moved to {} on Monday.'],
];

const POLISH: readonly Row[] = [
  ['Lewandowski', 'The goal was made by {} in the last minute.', 'levan doff ski'],
  ['Mickiewicz', 'The poem of {} is known to every child.', 'mits kee ev itch'],
  ['Wieczorek', 'The dentist is called {} and lives here.', 'vyeh choreck'],
  ['Walczak', 'The repair was done by Mister {} in a day.', 'val chack'],
  ['Pawlowski', 'Miss {} has two dogs and a cat.', 'pav loff ski'],
  ['Krawczyk', 'The butcher {} closes at six.', 'kraff chick'],
  ['Sienkiewicz', 'This story was written by {} himself.', 'shen kee ev itch'],
  ['Kwiatkowski', 'The race was lost by {} in the end.', 'kev yat koff ski'],
  ['Nowakowski', 'The windows of Doctor {} are always open.', 'no va koff ski'],
  ['Czarnecki', 'Our guide {} knows every stone.', 'char net ski'],
  ['Maciejewski', 'The radio was made by {} after the war.', 'matcha yeff ski'],
  ['Wasilewski', 'The horses belong to Mister {} in the valley.', 'vasi leff ski'],
  ['Szczepanski', 'The meeting with {} was short.', 'shep an ski'],
  ['Tomaszewski', 'My teacher {} never forgets a face.', 'tomma sheff ski'],
  ['Warszawa', 'The hotel in {} was full.', 'var shava'],
  ['Jaworski', 'The apples came from Mister {} this year.', 'ya vor ski'],
  ['Lipinski', 'The roof was mended by {} before winter.', 'lip in ski'],
  ['Pulaski', 'The bridge was named after {} long ago.', 'poo lass ski'],
  ['Zawadzki', 'The soup of Miss {} is the best.', 'za vod ski'],
  ['Wachowski', 'The film was made by {} and her brother.', 'wah chow ski'],
];

const OTHER_LANGUAGES: readonly Row[] = [
  ['Schwartzkopf', 'The general {} came by train.', 'schwartz cop'],
  ['Weissmann', 'The shop of {} sells old clocks.', 'vice mon'],
  ['Zeidler', 'Our doctor {} works in the hospital.', 'tsyde ler'],
  ['Wolfsburg', 'The cars are built in {} near the river.', 'volfs boork'],
  ['Jungmann', 'Miss {} paid for the window.', 'yoong mon'],
  ['Winterfeld', 'The letters of {} are in the library.', 'vinter felt'],
  ['Castillo', 'The ball was caught by {} in the end.', 'cass tee yo'],
  ['Murillo', 'The dog of Mister {} is very old.', 'moo ree yo'],
  ['Rodriguez', 'The bread is made by {} every morning.', 'rod ree guess'],
  ['Navajas', 'The coffee was from {} and very strong.', 'nah vah hoss'],
  ['Manzanilla', 'The captain sails to {} on Sunday.', 'mon sah nee ya'],
  ['Figueroa', 'We asked Doctor {} for help.', 'fig way roe ah'],
  ['Guerrero', 'Their house in {} has a red door.', 'gare rare oh'],
  ['Petruccelli', 'My uncle {} sings in the choir.', 'peh troo chelly'],
  ['Bertolucci', 'The film by {} is three hours long.', 'bare toe loochy'],
  ['Ghislandi', 'The shoes are made by {} in the north.', 'gus londy'],
  ['Castiglione', 'The village of {} is on a hill.', 'cass teel yo nay'],
  ['Bolognini', 'The picture by {} was sold in June.', 'bowl on yeeny'],
  ['Bocchino', 'The lamp was a present from {} last week.', 'boe keen oh'],
  ['Zhaoxing', 'The students came from {} by bus.', 'jow shing'],
  ['Qingdao', 'The beer from {} is cold.', 'ching dow'],
  ['Xiangyang', 'The boat goes to {} in the night.', 'shong yong'],
  ['Guizhou', 'The tea is from {} in the mountains.', 'gway joe'],
  ['Hjelmgren', 'Miss {} builds wooden boats.', 'yelm gren'],
  ['Sjostrom', 'The chair was made by {} in the fifties.', 'show strum'],
  ['Kjeldsen', 'Our neighbour {} has a green car.', 'chell sen'],
  ['Bergqvist', 'The song was sung by {} alone.', 'bergkvist'],
  ['Davutoglu', 'The minister {} spoke for an hour.', 'davoo toe loo'],
  ['Petrovic', 'The cake was eaten by {} before noon.', 'petro vitch'],
  ['Milosevic', 'The house was bought by {} in the spring.', 'mee losh evitch'],
];

/** A hundred sentences with a name each. */
export const FOREIGN_SENTENCES: readonly NamedSentence[] = [
  ...MIXED_LANGUAGES,
  ...POLISH,
  ...OTHER_LANGUAGES,
].map(([term, pattern, respelling = term]) => ({ term, spokenText: pattern.replace('{}', respelling) }));
