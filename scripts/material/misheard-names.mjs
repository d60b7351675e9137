/**
 * Sentences with a name in four languages, for the vocabulary of engines that do not know it. No name was chosen by how
 * it is corrected. The odd ones of each list are held out: the correction was never adjusted to them.
 *
 * @typedef {{ term: string, text: string, voice: string }} NameInSentence `voice` of espeak-ng, which says the name
 */

const ROWS = {
  en: [
    ['Kubernetes', 'We moved the billing system to {} last week.'],
    ['Szymanski', 'Mister {} will open the museum tomorrow.', 'pl'],
    ['Blue Harbor Analytics', 'The report of {} was written in March.'],
    ['Venkataraman', 'The lecture of Professor {} was very long.'],
    ['Ozempic', 'She has been taking {} since the spring.'],
    ['Terraform Cloud', 'All of our servers are described in {} now.'],
    ['Okonkwo', 'The letter came from Doctor {} this morning.'],
    ['Lisinopril', 'He was given {} after the winter.'],
    ['Brightwell Logistics', 'The contract with {} ends in two months.'],
    ['Papadopoulos', 'Ask Miss {} how long it will take.'],
    ['Grafana', 'Please put the {} page on the big screen.'],
    ['Wojciechowski', 'The uncle of {} lives in the village.', 'pl'],
    ['Atorvastatin', 'My grandfather takes {} every morning.'],
    ['Elasticsearch', 'You can find every letter with {} in a second.'],
    ['Nakamura Robotics', 'Our neighbours work for {} in the city.'],
    ['Mukherjee', 'Mister {} has been a great help to us.'],
    ['Nordhaven', 'The people of {} built the new bridge.'],
    ['Zabriskie', 'I believe that {} will be in the office on Tuesday.'],
    ['Sertraline', 'He asked the doctor about {} before he left.'],
    ['Castellanos', 'We had a good talk with {} in the kitchen.', 'es'],
  ],
  de: [
    ['Kubernetes', 'Wir haben die ganze Abrechnung letzte Woche auf {} umgestellt.', 'en-us'],
    ['Kowalczyk', 'Herr {} hat den Vertrag gestern nicht mehr gelesen.', 'pl'],
    ['Metoprolol', 'Der Arzt hat ihr gesagt, dass sie {} am Abend nehmen soll.'],
    ['Falkenrath', 'Die Kinder von Frau {} gehen hier in die Schule.'],
    ['Hansestadt Logistik', 'Die Rechnung von {} ist noch nicht bezahlt.'],
    ['Nextcloud', 'Die Bilder vom Garten liegen jetzt in {} und nicht mehr hier.', 'en-us'],
    ['Yıldırım', 'Am Montag kommt Doktor {} wieder ins Haus.', 'tr'],
    ['Pantoprazol', 'Mein Vater nimmt seit dem Winter {} und es geht ihm gut.'],
    ['Obermüllner', 'Der Brief von {} kam heute früh mit der Post.'],
    ['Brenntag Chemie', 'Wir arbeiten seit vier Jahren mit {} zusammen.'],
    ['Grafana', 'Mach bitte die Seite von {} auf den großen Schirm.'],
    ['Szczepański', 'Frau {} hat uns den alten Markt gezeigt.', 'pl'],
    ['Ibuprofen', 'Gegen die Schmerzen hat er zweimal {} genommen.'],
    ['Wendehorst', 'Das Haus an der Ecke gehört Familie {} und ihrem Sohn.'],
    ['Quantivo', 'Nach einem langen Gespräch haben wir mit {} unterschrieben.'],
    ['Rabenstein Verlag', 'Das Buch ist im {} erschienen und kostet nicht viel.'],
    ['Thiamazol', 'Sie fragt, ob sie {} auch morgens nehmen kann.'],
    ['Nguyen', 'Die Frage von Frau {} war sehr gut.'],
    ['Schwarzenbacher', 'Der Wein kommt von {} aus dem Süden.'],
    ['Elasticsearch', 'Mit {} findet man jeden Brief in einer Sekunde.', 'en-us'],
  ],
  es: [
    ['Kubernetes', 'La semana pasada pusimos todo el sistema en {} sin problemas.', 'en-us'],
    ['Echeverría', 'El señor {} no ha leído todavía el contrato.'],
    ['Omeprazol', 'El médico dice que tiene que tomar {} por la noche.'],
    ['Zubizarreta', 'Los hijos de {} van a la escuela de aquí.'],
    ['Puertas del Mar', 'La carta de {} llegó esta mañana a casa.'],
    ['Grafana', 'Por favor pon la página de {} en la pantalla grande.'],
    ['Goikoetxea', 'La hermana de {} vive en el pueblo con su madre.'],
    ['Atorvastatina', 'Mi abuelo toma {} todos los días desde el invierno.'],
    ['Transportes Villanueva', 'El contrato con {} termina dentro de dos meses.'],
    ['Etxeberria', 'Hablamos mucho tiempo con {} en la cocina.'],
    ['Losartán', 'Le dieron {} después de las vacaciones.'],
    ['Quintanilla', 'La pregunta de la señora {} fue muy buena.'],
    ['Elasticsearch', 'Con {} se puede encontrar todo en un segundo.', 'en-us'],
    ['Sotomayor', 'El profesor {} nos enseñó el mercado viejo.'],
    ['Quantivo', 'Después de hablar mucho firmamos con {} el martes.'],
    ['Banco Altavista', 'Mi dinero está en el {} desde hace diez años.'],
    ['Metformina', 'Ella pregunta si puede tomar {} por la mañana.'],
    ['Kowalczyk', 'El informe de {} se escribió en marzo.', 'pl'],
    ['Olazábal', 'La casa de la esquina es de la familia {} y de su hijo.'],
    ['Nextcloud', 'Las fotos del jardín están ahora en {} y no aquí.', 'en-us'],
  ],
  fr: [
    ['Kubernetes', 'La semaine dernière nous avons tout mis sur {} sans problème.', 'en-us'],
    ['Lefebvrier', 'Monsieur {} ne lira pas le contrat avant lundi.'],
    ['Oméprazole', 'Le médecin dit que je dois prendre {} le soir.'],
    ['Kerguelen', 'Les enfants de madame {} vont à cette école.'],
    ['Maison Beauvallon', 'La lettre de {} est arrivée ce matin chez nous.'],
    ['Grafana', 'Tu peux mettre la page de {} sur le grand écran.'],
    ['Charbonneau', 'La question de monsieur {} était très bonne.'],
    ['Atorvastatine', 'Mon père prend {} tous les jours depuis deux ans.'],
    ['Transports Guillemin', 'Le contrat avec {} finit dans deux mois.'],
    ['Wojciechowski', 'La soeur de {} vit dans le village avec sa mère.', 'pl'],
    ['Paracétamol', 'Pour la douleur il a pris {} deux fois.'],
    ['Montgaillard', 'La maison au coin de la rue est à la famille {} depuis longtemps.'],
    ['Quantivo', 'Après avoir parlé longtemps nous avons signé avec {} mardi.'],
    ['Delacourcelle', 'Le professeur {} nous a montré le vieux marché.'],
    ['Elasticsearch', 'Avec {} on trouve tout en une seconde.', 'en-us'],
    ['Banque Rochebrune', 'Mon argent est à la {} depuis dix ans.'],
    ['Lévothyroxine', 'Elle demande si elle peut prendre {} le matin.'],
    ['Quéméneur', 'Le vin vient de chez {} dans le sud.'],
    ['Metformine', 'On lui a donné {} après les vacances.'],
    ['Nextcloud', 'Les photos du jardin sont maintenant dans {} et pas ici.', 'en-us'],
  ],
};

export const MISHEARD_LANGUAGES = Object.keys(ROWS);

/** @param {string} language @returns {(NameInSentence & { isHeldOut: boolean })[]} */
export function listNamesInSentences(language) {
  return (ROWS[language] ?? []).map(([term, text, voice = language], index) => ({
    term,
    text,
    voice,
    isHeldOut: index % 2 === 1,
  }));
}
