/**
 * States as a chatty person tells them: lower case, side remarks, news before the fact. Written
 * before the rules that they measure were changed, and never read for one.
 */
import { type StateTheme, theme } from './state-themes.ts';

const SLIP =
  "ugh, i meant %, not #. | scratch that, %. | sorry, typo: %, not #. | no wait, it's %, not #.";

const chatty = (key: string, lines: Parameters<typeof theme>[2]): StateTheme =>
  theme('reported', key, lines);

export const CHATTY_THEMES: readonly StateTheme[] = [
  chatty('town', [
    'Which city is Ada living in? | Where is home for Ada these days?',
    "i live in %, by the way. | i'm based in %, if that helps. | home for me is %. | we live over in %.",
    "big news: we moved to %! | so we finally moved to %, what a week. | i live in % these days. | guess what, i've moved to %. | we're living in % now, the rent was too much.",
    'we moved to % on @, still unpacking. | i moved to % on @ btw. | been living in % since @.',
    SLIP,
    'my uncle lives in Naples. | i flew over Denver last night. | Bergen looks lovely in photos. | would you ever move to Perth?',
    'Leeds | Porto | Krakow | Nantes | Basel | Antwerp | Valencia | Tampere',
  ]),
  chatty('firm', [
    'Who employs Ada? | At which company does Ada work?',
    "i work for %, mostly from home. | i'm at %, in the small office. | my employer is %, have been there a bit. | i work at %, it's alright.",
    'so, i just started at %! | i quit my old job and joined %. | new job! i work for % now. | i got hired by %, so happy. | i left, and now i work at %. | my new employer is %.',
    'i joined % on @. | i started working at % on @, forgot to say. | on @ i started at %.',
    SLIP,
    'my flatmate works at Tarn. | Oakly turned me down years ago. | a guy from Nimbus called me. | what does Fable even sell?',
    'Northwind | Contoso | Brightwell | Kestrel Systems | Lumen | Pinegrove | Tallow | Marrow and Sons',
  ]),
  chatty('therapist', [
    "Who is Ada's therapist? | Which therapist is Ada seeing?",
    "my therapist is called %. | i'm seeing % as my therapist. | my therapist is %, fyi. | % is my therapist.",
    "i've got a new therapist, %. | i switched therapists, i see % now. | my new therapist is %, she seems kind. | % is my therapist now. | i changed therapists: it's % now.",
    'since @ my therapist is %. | i got a new therapist on @, %. | i have been seeing % as my therapist since @.',
    SLIP,
    "my aunt's therapist is Gudrun. | therapy is expensive. | Frasier is on again. | can you recommend a book on sleep?",
    'Delphine | Marcus | Ines | Rafael | Sunniva | Kwame | Beatriz | Oleg',
  ]),
  chatty('landlord', [
    "Who is Ada's landlord? | To whom does Ada pay rent?",
    "my landlord is %. | our landlord is called %. | % is our landlord, he's fine. | my landlord's name is %.",
    "we have a new landlord, %. | the house was sold, our new landlord is %. | my landlord is now %. | % is our landlord now. | our landlord changed, it's % now.",
    'since @ our landlord is %. | we got a new landlord on @, %. | our landlord has been % since @.',
    SLIP,
    'my parents had a landlord called Grimble. | the boiler is broken. | rents are mad. | did you ever meet Osgood?',
    'Hargreaves | Petrakis | Olsen | Dubois | Winter | Castellano | Nyberg | Falk',
  ]),
  chatty('bike', [
    'Which bike does Ada ride? | What bike does Ada have?',
    "my bike is a %. | i ride a %. | i've got a %, that's my bike. | my bike's a %.",
    'got myself a new bike, a %. | my new bike is a %, so light. | i ride a % now. | i swapped my bike for a %. | i sold the old bike and bought a %. | my bike is a % these days.',
    'i bought a new bike on @, a %. | since @ i ride a %. | my new bike since @ is a %.',
    SLIP,
    'my kid wants a Puky. | a Cervelo overtook me. | the tyre is flat. | is a Bianchi worth it?',
    'Brompton | Cube | Canyon | Trek | Gazelle | Surly | Giant | Orbea',
  ]),
  chatty('provider', [
    "What is Ada's phone provider? | Which carrier is Ada with?",
    "my provider is %. | i'm with % for my phone. | % is my provider. | my carrier is %, sadly.",
    "i switched providers, i'm with % now. | my new provider is %. | i moved to % as my provider. | i changed my provider to %. | fed up, so % is my provider now. | my carrier is % now.",
    'since @ my provider is %. | i switched to % as my provider on @. | i changed my provider to % on @.',
    SLIP,
    'my dad is with Plusnet. | the wifi at work is awful. | Giffgaff sent me spam. | what is 5g good for?',
    'Vodafone | Fastline | Telia | Orange | Swisscom | Proximus | Lebara | Sunrise',
  ]),
  chatty('meal', [
    'How does Ada eat? What diet? | What diet is Ada on?',
    "i'm on a % diet, so no snacks. | i follow a % diet. | my diet is %, basically. | i'm doing a % diet.",
    "i've switched to a % diet. | trying something new, i'm on a % diet now. | my doc put me on a % diet. | i went on a % diet. | my diet is % now. | i started a % diet.",
    'i started a % diet on @. | since @ i am on a % diet. | i went on a % diet on @.',
    SLIP,
    'my gran swears by a cabbage diet. | lunch was huge. | a liquid diet sounds grim. | any idea for dinner?',
    'vegan | keto | lactose-free | paleo | low-carb | vegetarian | raw | macrobiotic',
  ]),
  chatty('snack', [
    "What is Ada's favourite snack? | Which snack does Ada like best?",
    "my favourite snack is %. | my fav snack is %, always. | %, that's my favourite snack. | my favorite snack has to be %.",
    "my new favourite snack is %. | lately my favourite snack is %. | my favourite snack is % now, sorry not sorry. | i've got a new favourite snack: %. | these days my fav snack is %.",
    'since @ my favourite snack is %. | my favourite snack has been % since @.',
    SLIP,
    'my niece only eats pretzels. | the shop was out of nachos. | his favourite snack is olives. | are crackers healthy?',
    'hummus | popcorn | edamame | trail mix | rice cakes | dates | kimchi | halva',
  ]),
  chatty('boss', [
    "Who is Ada's boss? | Whom does Ada report to?",
    "my boss is %. | i report to %, she's strict. | % is my boss. | my manager's %, good guy.",
    "i've got a new boss, %. | there was a reorg and now i report to %. | my boss is % now. | my new manager is called %. | % is my manager now. | reorg again: my new boss is %.",
    'since @ i report to %. | i got a new boss on @, %. | my boss has been % since @.',
    SLIP,
    'my ex had a boss called Wendell. | Regina runs the other floor. | meetings all day. | who hired Bartek?',
    'Simone | Harish | Greta | Malik | Joanne | Pavel | Lucia | Tomoko',
  ]),
  chatty('number', [
    "What is Ada's phone number? | How can one ring Ada?",
    "my number is %. | you can call me on %. | my phone number's %. | text me on %.",
    'new phone, new number: %. | my new number is %. | i changed my number, it is % now. | my number is % now. | you can reach me on % from now on. | i have a new number, %.',
    'my number changed to % on @. | since @ my number is %. | i changed my number to % on @.',
    SLIP,
    "the vet's number is 555 7001. | someone from 555 7002 keeps calling. | my battery is dying. | what's the number for a taxi?",
    '555 3310 | 555 3421 | 555 3532 | 555 3643 | 555 3754 | 555 3865 | 555 3976 | 555 3087',
  ]),
];
