/** Frequent words that names and abbreviations are spelled like. */
const WORDS_BY_LANGUAGE = {
  en: `a about after again all also always am an and another any are art as ask at away back bad be because been before best
    better big bill both but buy by call came can car case chance close come could cut day did do does done down drew each end
    even ever every eye face fair faith far fast few find first for found frank free from gave general get give glad go goes gone
    good got grace grant great green had hand hard has have he heart help her here high him his home hope house how i if in into
    is it its jack join joy june just keep kind king know land last late law lead left less let life light like little live long
    look love low made make man many march mark may me mean men might mine miss more most much must my name near need never new
    next nice night no none nor not now of off old on once one only open or order other our out over own page part pat people per
    place plan play pm point put rather ray read real rest rich right rob rose said same saw say see set shall she should show
    side since sit small so some soon state stay still stop such sue sun take talk tell ten than that the their them then there
    these they thing think this those three through time to today together told too took town true try turn two under until up us
    use very victor want war was way we well went were west what when where which while white who whole why will wish with without
    word work world would write year yes yet you young your`,
  de: `aber alle als also am an auch auf aus bei bin bis da damit dann das dass dein dem den denn der des die dies doch du durch ein
    eine einem einen einer er es etwas für gut hat hatte hier ich ihm ihn ihr im immer in ist ja jetzt kann kein man mehr mein mich
    mir mit muss nach nicht noch nun nur ob oder ohne schon sehr sein seine sich sie sind so soll um und uns vom von vor war was
    weil wenn wer wie wir wird wo zu zum zur`,
  fr: `ai au aux avec bien car ce ces cette dans de des donc du elle elles en es est et eu fait il ils je la le les leur lui ma
    mais me mes moi mon ne nos notre nous on ont ou où par pas plus pour qu que qui sa sans se ses si son sont sur ta te toi ton tu
    un une va vos votre vous y`,
  es: `a al algo así como con cuando de del desde donde dos el ella ellos en entre era es esa ese eso esta este esto está fue ha
    han hasta hay la las le les lo los me mi mis muy más ni no nos o para pero por porque que qué se ser si sin sobre son su sus sí
    también te tiene todo tu un una y ya yo`,
  it: `ad ai al alla anche che chi ci come con cosa così da dal dalla dei del della di dove e ed era essere fa gli ha hai hanno
    ho i il in io la le lei lo loro lui ma me mi mio molto nel nella no noi non o per perché più poi qui se sei si sia sono sta su
    te ti tu tutto un una uno va voi è`,
  pt: `a ao aos as até com como da das de dele depois do dos e ela elas ele eles em entre era essa esse esta este eu foi há isso
    já lhe mais mas me meu minha muito na nas nem no nos não o os ou para pela pelo por quando que quem se sem ser seu sua são só
    também te tem um uma você à é`,
  nl: `aan al als bij dan dat de deze die dit doen door dus een en er ga gaan haar had heb hebben heeft hem het hier hij hoe hun ik
    in is ja je kan maar me meer men met mij mijn moet na naar niet niets nog nu of om omdat onder ons ook op over te toch toen tot
    u uit van veel voor waar was wat we wel werd wie wil worden zal ze zich zij zijn zo zou`,
};

const COMMON_WORDS: ReadonlySet<string> = new Set(
  Object.values(WORDS_BY_LANGUAGE).flatMap((words) => words.split(/\s+/)),
);

/** Whether a word is more often itself than a name or an abbreviation that is spelled like it (`us`, `may`, `it`). */
export function isCommonWord(word: string): boolean {
  return COMMON_WORDS.has(word.toLowerCase());
}
