/** Common French words with other accents than é: the list of the package has none of them. */
export const COMMON_FRENCH_WORDS_WITH_ACCENTS: readonly string[] = `
  achète achètent amène amènent ancêtre ancêtres août aperçoit aperçu apparaît apparaître après arrière arrêt arrête
  arrêtent arrêter arrêts arrêté arrêtée auprès aussitôt baptême bibliothèque bibliothèques bientôt bière bières boîte
  boîtes boîtier brève brûle brûler brûlé brûlée bâti bâtie bâtiment bâtiments bâtir bâton bête bêtes bêtise bêtises bœuf
  caractère caractères carrière carrières chaîne chaînes château châteaux châtiment chèque chèques chère chères chèvre
  chèvres chômage chômeur chômeurs ci-après clôture collègue collègues commençait commençant commençons commerçant
  commerçants complète complètement complètes concède connaît connaître conquête conquêtes considère considèrent contrôle
  contrôler contrôles contrôlé conçu conçue conçus coût coûte coûtent coûter coûts critère critères croît croître croûte
  crâne crème crève crêpe crêpes câble câbles célèbre célèbres côte côtes côté côtés cœur cœurs d'août d'où d'être dernière
  dernières derrière deuxième diplôme diplômes diplômé disparaît disparaître drôle drôlement dès dégât dégâts déjà dépêche
  dépêcher dépôt dépôts déçu déçue déçus dîner dîners dû dûment emmène empêche empêchent empêcher empêché enchaînement
  enchaîné enlève enquête enquêter enquêtes enquêteurs entraîne entraînement entraînent entraîner entraîneur entraîné espèce
  espèces espère espèrent exagère extrême extrêmement extrêmes face-à-face fantôme fantômes façade façades façon façons
  fenêtre fenêtres fidèle fidèles fière fièrement fières fièvre flûte forçat forêt forêts français française françaises
  fraîche fraîches fraîcheur frontière frontières frère frères fâché fâchée fête fêter fêtes fêté garçon garçons glaçon goût
  goûte goûter goûts grossière grâce grâces grève grèves guère guêpe gâcher gâché gâteau gâteaux gère gèrent gênant gêne
  gêner gêné huître huîtres hygiène hâte hôpital hôpitaux hôte hôtel hôtels hôtes impôt impôts infirmière inquiète
  inquiètent interprète intègre intérêt intérêts jeûne jeûner lançait lançant leçon leçons lièvre lumière lumières là là-bas
  là-dedans là-dessus là-haut lâche lâcher lâché lève lèvent lèvre lèvres légère légèrement légères manière manières matière
  matières maçon maître maîtres maîtresse maîtrise maîtriser millième modèle modèles mystère mystères mène mènent mère mères
  mètre mètres mêle mêler mêlé même mêmes mûr mûre mûrs mœurs naguère naît naître naïf naïve neuvième noël nôtre nôtres nœud
  nœuds obsèques opère où parallèle parallèles paraît paraître peut-être phénomène phénomènes piqûre pièce pièces piège
  pièges plaît plutôt plâtre possède possèdent poussière poème poèmes poète poètes poêle première premières prière prières
  problème problèmes procès progrès promène protège protègent près prêt prête prêter prêtes prêtre prêtres prêts pâle pâte
  pâtes pâtisserie pâté pèlerinage père pères pêche pêcher pêcheur pêcheurs pêle-mêle pôle pôles quatrième quête reconnaît
  reconnaître remplaçant renaître repère repères requête requêtes revêt reçois reçoit reçoivent reçu reçue reçues reçus
  rivière rivières règle règlement règlements règles règne réfère répète répètent rêve rêver rêves rêvé rôle rôles rôti
  sincère sincèrement sitôt sixième siècle siècles siège sièges soupçon soupçonne soupçonné soupçons suggère suprême
  symptôme symptômes système systèmes sèche sèches sévère sûr sûre sûrement sûres sûreté sûrs sœur sœurs tantôt tempête
  tempêtes thème thèmes théâtre théâtres traîne traîner traître traîtres troisième très trêve trône trôner tâche tâches tête
  têtes têtu tôle tôt vipère voilà voûte vêtement vêtements vêtu vêtue vêtus vôtre vôtres zèle à âge âgé âgée âgées âgés âme
  âmes ça élève élèves évènement évêque évêques êtes être êtres île îles ôte ôter œil œuf œufs œuvre œuvres`
  .trim()
  .split(/\s+/);
