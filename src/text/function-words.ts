/**
 * Articles, pronouns, prepositions, auxiliaries and question words of languages whose words the
 * built-in table does not know: they say how a question is put, not what it is about. Closed
 * classes alone, without marks on Latin letters. A word that is also one of the table is none:
 * `die`, `war` and `man` keep what they mean in English.
 */
import { isKnownWord } from './known-words.ts';

const DE =
  'aber alle allem allen aller alles als also am an ander andere anderem anderen anderer ' +
  'anderes auch auf aus bei beim bereits bin bis bist da dabei dadurch dafur dagegen daher ' +
  'dahin damals damit danach daneben dann daran darauf daraus darf darfst darin daruber darum ' +
  'darunter das dass davon davor dazu dein deine deinem deinen deiner deines dem den denen ' +
  'denn der deren des deshalb dessen dich die dies diese diesem diesen dieser dieses dir doch ' +
  'dort du durch durfen durfte ein eine einem einen einer eines einige einigen einiger ' +
  'einiges er es etwas euch euer eure eurem euren eurer fur gegen gewesen hab habe haben habt ' +
  'hat hatte hatten hattest hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ' +
  'ihres im in ins ist ja jede jedem jeden jeder jedes jemand jemandem jemanden jene jenem ' +
  'jenen jener jenes kann kannst kein keine keinem keinen keiner keines konnen konnte konnten ' +
  'man manche manchem manchen mancher manches mein meine meinem meinen meiner meines mich mir ' +
  'mit mochte mochten muss mussen musst musste mussten nach nicht nichts niemand niemandem ' +
  'niemanden noch nun nur ob oder ohne sehr sei sein seine seinem seinen seiner seines seit ' +
  'selbst sich sie sind so solche soll sollen sollte sollten sondern sonst um und uns unser ' +
  'unsere unserem unseren unserer unter uber viel viele vielen vom von vor wahrend wann war ' +
  'waren warst warum was weder weil welche welchem welchen welcher welches wem wen wenn wer ' +
  'werde werden weshalb wessen wie wieder wieso will willst wir wird wirst wo wobei wodurch ' +
  'wofur wogegen woher wohin wollen wollte wollten womit wonach woran worauf woraus worin ' +
  'woruber worum wovon wovor wozu wurde wurden wurst zu zum zur zwar zwischen';
const FR =
  'ai aie aient ait alors as au aucun aucune aujourd auquel aura aurait aussi autre autres ' +
  'aux auxquelles auxquels avaient avais avait avant avec avez avoir avons ayant c car ce ' +
  'ceci cela celle celles celui ces cet cette ceux chaque chez ci combien comme comment d ' +
  'dans de depuis des deux dont du elle elles en encore entre es est et etaient etais etait ' +
  'ete etes etre eu eux fut ici il ils j je jusqu jusque l la laquelle le lequel les ' +
  'lesquelles lesquels leur leurs lors lui m ma mais me meme memes mes moi mon n ne ni non ' +
  'nos notre nous on ont ou par parce pas pendant peut peux plus pour pourquoi puis qu quand ' +
  'que quel quelle quelles quelqu quelque quelques quels qui quoi s sa sans se sera serait ' +
  'ses si sien sienne son sont sous sur t ta tandis te tes toi ton tous tout toute toutes ' +
  'tres tu un une va vers voici voila vos votre vous y';
const ES =
  'a acaso al algo alguien algun alguna algunas alguno algunos alla alli ante antes aquel ' +
  'aquella aquellas aquello aquellos aqui asi aun aunque bajo cada casi como con contra cual ' +
  'cuales cuando cuanta cuantas cuanto cuantos cuya cuyo de del desde donde dos durante e el ' +
  'ella ellas ello ellos en entonces entre era eran eres es esa esas ese eso esos esta estaba ' +
  'estaban estado estamos estan estar estas este esto estos estoy fue fueron ha habia habian ' +
  'han has hasta hay he hemos la las le les lo los mas me mi mis mientras mio mucha muchas ' +
  'mucho muchos muy nada nadie ni ningun ninguna ninguno no nos nosotras nosotros nuestra ' +
  'nuestras nuestro nuestros o os otra otras otro otros para pero poco por porque pues que ' +
  'quien quienes se segun ser si sido siempre sin sino sobre son soy su sus suya suyo tal ' +
  'tambien tampoco tan tanto te tenemos tener tengo ti tiene tienen toda todas todo todos tu ' +
  'tus tuya tuyo un una unas uno unos usted ustedes va vosotras vosotros y ya yo';
const IT =
  'agli ai al alla alle allo anche avere aveva avevo che chi ci coi col come con contro cosa ' +
  'cui da dagli dai dal dalla dalle dallo degli dei del della delle dello di dove e ed era ' +
  'erano essere fra fu gli ha hai hanno ho il in io la le lei li lo loro lui ma mi mia mie ' +
  'miei mio ne negli nei nel nella nelle nello noi non nostra nostre nostri nostro o per ' +
  'perche piu qual quale quali quando quanta quante quanti quanto quella quelle quelli quello ' +
  'questa queste questi questo se sei si sia siamo siete sono sta stata stati stato su sua ' +
  'sue sugli sui sul sulla sulle sullo suo suoi ti tra tu tua tue tuo tuoi tutti tutto un una ' +
  'uno vi voi vostra vostro';
const PT =
  'a ao aos aquela aquelas aquele aqueles aquilo as ate com como da das de dela dele deles ' +
  'depois do dos e ela elas ele eles em entre era eram essa essas esse esses esta estao ' +
  'estava estavam este estes estou eu foi foram ha isso isto ja lhe lhes mais mas me mesmo ' +
  'meu meus minha minhas muito na nao nas nem no nos nossa nossas nosso nossos num numa o ' +
  'onde os ou para pela pelas pelo pelos por porque qual quais quando quanta quantas quanto ' +
  'quantos que quem sao se sem ser seu seus so sobre somos sou sua suas tambem te tem tenho ' +
  'ter teu teus tinha tu tua tuas um uma umas uns voce voces';
const NL =
  'aan al alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus ' +
  'een en er ge geen haar had heb hebben heeft hem het hier hij hoe hoeveel hun ik in is ja ' +
  'je jij jou jouw jullie kan kon kunnen maar me meer men met mij mijn moet na naar niet ' +
  'niets nog nu of om omdat onder ons onze ook op over te tegen toch toen tot u uit uw van ' +
  'veel voor waar waarin waarmee waarom waarvoor wanneer want waren was wat we wel welk welke ' +
  'werd wie wij wil worden wordt zal ze zei zelf zich zij zijn zo zonder zou';
const RU =
  'а без более бы был была были было быть в вам вами вас ваш ваша ваше ваши весь во вот все ' +
  'всего всей всем всех всё вы где да для до его ее ей ему если есть еще ещё её же за зачем и ' +
  'из или им ими их к как какая какие каким каких какого какое какой каком какому какую ко ' +
  'когда кого кому которая которого которое которой котором которую которые который кто куда ' +
  'ли между меня мне много мной мог может можно мои мой моих мою моя моё моего моей моем ' +
  'моему мы на над надо нам нами нас наш наша наше нашего нашей нашем наши не него нее ней ' +
  'нем нет ни никто ним них ничего но ну о об один однако он она они оно от откуда очень по ' +
  'под после почему при про с сам сама свое своего своей свои свой свою себе себя сейчас ' +
  'сколько со так также такая такие такое такой там тебе тебя тем теми то тобой тогда того ' +
  'тоже той только том тому тот ту ты у уже хоть чего чей чем через что чтобы чья эта эти ' +
  'этим этих это этого этой этом этот эту я';

let words: ReadonlySet<string> | undefined;

/** Takes a lower-case word without marks. */
export function isFunctionWord(word: string): boolean {
  words ??= new Set(
    [DE, FR, ES, IT, PT, NL, RU].flatMap((list) =>
      list.split(' ').filter((listed) => !isKnownWord(listed)),
    ),
  );
  return words.has(word);
}
