/**
 * States of a person, and how people tell that they changed: written for this repository. Rules of
 * capture are tuned on the themes of `tuned` and `opened`; `opened` was measured once unread, and
 * then its failures were read. The themes of `state-themes-chatty.ts` are `reported`: measured, and
 * never read for a rule. `%` is the new value, `@` a day of the past.
 */
export interface StateTheme {
  readonly side: 'tuned' | 'opened' | 'reported' | 'everyday';
  readonly key: string;
  readonly asks: readonly string[];
  /** The first time, and any later one. */
  readonly tells: readonly string[];
  /** Only of a change: `#` is the value before. */
  readonly changes: readonly string[];
  /** A change that happened on a day before: `#` is the value before. */
  readonly dated: readonly string[];
  /** Right after a slip: `#` is what was said by mistake. */
  readonly corrects: readonly string[];
  /** What is no change of it, with values that it never has. */
  readonly distracts: readonly string[];
  readonly values: readonly string[];
}

const split = (text: string): readonly string[] => text.split(' | ');
export const theme = (
  side: StateTheme['side'],
  key: string,
  lines: readonly [
    asks: string,
    tells: string,
    changes: string,
    dated: string,
    corrects: string,
    distracts: string,
    values: string,
  ],
): StateTheme => {
  const [asks, tells, changes, dated, corrects, distracts, values] = lines;
  return {
    side,
    key,
    asks: split(asks),
    tells: split(tells),
    changes: split(changes),
    dated: split(dated),
    corrects: split(corrects),
    distracts: split(distracts),
    values: split(values),
  };
};

const NO = 'No, I meant %. | Sorry, I meant % and not #. | Correction: %, not #. | I meant %.';

export const PLAIN_THEMES: readonly StateTheme[] = [
  theme('tuned', 'home', [
    'Where does Ada live? | In which city is her home?',
    "I live in %. | I'm based in %. | My home is in %. | I'm living in % at the moment.",
    "I moved to %. | We've just moved to %. | I relocated to % for work. | I don't live there anymore, I'm in % now. | By the way, I live in % now. | As of this week my home is %.",
    'I moved to % on @. | On @ I moved to %. | I have been living in % since @.',
    `${NO} | Wait, I live in %, not in #.`,
    'My sister lives in Palermo. | I visited Marseille over the weekend. | I used to live in Bristol as a child. | Maybe I will move to Denver one day.',
    'Lyon | Ghent | Oslo | Lisbon | Graz | Turin | Malmo | Utrecht',
  ]),
  theme('tuned', 'employer', [
    'Where does Ada work? | Which company employs Ada?',
    "I work at %. | I work for %. | I'm employed at %. | My employer is %.",
    "I started working at %. | I joined % as an engineer. | I left my old job and now I work for %. | I got a new job at %. | I'm with % now. | I changed jobs, I work at % now.",
    'I joined % on @. | I have been working for % since @. | On @ I started at %.',
    `${NO} | Actually I work at %, not at #.`,
    'My brother works at Zephyr. | I had an interview at Quantix. | My old boss went to Bluewave. | I might apply at Norvik.',
    'Initech | Umbra Labs | Globex | Hooli | Vandelay | Wonka Foods | Cyberdyne | Soylent',
  ]),
  theme('tuned', 'phone', [
    "What is Ada's phone number? | Under which number can Ada be called?",
    'My phone number is %. | My number is %. | You can reach me at %. | My mobile is %.',
    'My new number is %. | I have a new phone number: %. | I changed my number to %. | My phone number has changed, it is % now. | New number: %. | Please call me on % from now on.',
    'Since @ my phone number is %. | I changed my number to % on @. | My number changed to % on @.',
    `${NO} | Oops, my number is %, not #.`,
    "My mother's number is 555 9001. | The hotline is 555 9002. | I lost my charger. | What was the number of the plumber?",
    '555 0101 | 555 0122 | 555 0143 | 555 0164 | 555 0185 | 555 0206 | 555 0227 | 555 0248',
  ]),
  theme('tuned', 'diet', [
    'What does Ada eat? Which diet? | Which diet does Ada follow?',
    "I'm on a % diet. | My diet is %. | I follow a % diet. | I eat a % diet.",
    "I switched to a % diet. | I changed my diet to %. | I'm on a % diet now. | My doctor put me on a % diet. | I follow a % diet from now on. | My new diet is %.",
    'I switched to a % diet on @. | Since @ I follow a % diet. | I have been on a % diet since @.',
    `${NO} | I meant a % diet, not #.`,
    'My husband follows a carnivore diet. | I read about the zone diet. | Diets are hard. | I might try an Atkins diet.',
    'keto | vegan | paleo | pescatarian | gluten-free | vegetarian | low-salt | Mediterranean',
  ]),
  theme('tuned', 'color', [
    "What is Ada's favourite colour? | Which color does she like best?",
    'My favourite colour is %. | My favorite color is %. | % is my favourite colour. | My favourite colour has always been %.',
    'My favourite colour is % now. | My new favorite color is %. | I changed my mind: my favourite colour is %. | These days my favourite colour is %. | My favourite colour is no longer the old one, it is %.',
    'Since @ my favourite colour is %. | My favourite colour has been % since @.',
    `${NO} | Sorry, my favourite colour is %, not #.`,
    'The new sofa is beige. | My daughter loves magenta. | We painted the kitchen ochre. | Her favourite colour is maroon.',
    'green | teal | purple | orange | crimson | indigo | turquoise | yellow',
  ]),
  theme('tuned', 'car', [
    'Which car does Ada drive? | What car is it that she has?',
    'I drive a %. | My car is a %. | I have a % as my car. | I drive an old %.',
    'I bought a new car, a %. | My new car is a %. | I drive a % now. | I switched cars: I drive a % now. | I traded my car in for a %. | I got a new car: a %.',
    'I have been driving a % since @. | On @ I bought a new car, a %. | Since @ I drive a %.',
    `${NO} | I meant a %, not a #.`,
    'My neighbour drives a Bentley. | I rented a Twingo in Spain. | The bus was late. | I would love a Porsche.',
    'Polo | Kangoo | Volvo | Panda | Skoda | Yaris | Berlingo | Dacia',
  ]),
  theme('tuned', 'manager', [
    "Who is Ada's manager? | To whom does she report?",
    'My manager is %. | My boss is %. | I report to %. | % is my manager.',
    'My new manager is %. | I report to % now. | % is my boss now. | I have a new manager, %. | My manager changed to %. | My boss is now %.',
    'Since @ my manager is %. | I have been reporting to % since @. | I got a new manager, %, on @.',
    `${NO} | I meant %. Not #.`,
    'My sister has a manager called Ottilie. | Our teacher was Rowan. | I had lunch with Ingrid. | Who is your manager?',
    'Marta | Desmond | Yuki | Priya | Tobias | Leonor | Farid | Agnes',
  ]),
  theme('tuned', 'dentist', [
    "Who is Ada's dentist? | Which dentist treats her?",
    'My dentist is Dr. %. | My dentist is called Dr. %. | I go to Dr. % as my dentist. | Dr. % is my dentist.',
    'My new dentist is Dr. %. | I found a new dentist: Dr. %. | I switched dentists, it is Dr. % now. | I changed dentists, my dentist is Dr. % now. | I moved to Dr. % as my dentist. | My dentist is Dr. % these days.',
    'I switched to Dr. % as my dentist on @. | Since @ my dentist is Dr. %. | I have a new dentist since @, Dr. %.',
    `${NO} | I meant Dr. %, not #.`,
    "My mother's dentist is Dr. Weiss. | The film had a dentist in it. | Dr. Strange is on tonight. | My tooth hurts.",
    'Abara | Kowalski | Mbeki | Fontaine | Sorensen | Galli | Ortega | Novak',
  ]),
  theme('tuned', 'address', [
    "What is Ada's address? | To which address do letters for her go?",
    'My address is %. | My home address is %. | I live at %. | My postal address is %.',
    'My new address is %. | I changed my address to %. | I live at % now. | We moved to %. | Please use % as my address from now on. | I have a new address: %.',
    'Since @ my address is %. | I have been living at % since @. | My address changed to % on @.',
    `${NO} | My address is %, not #, sorry.`,
    "My brother's address is 3 Pine Court. | The shop at 99 Main Road is closed. | I forgot the keys. | What is the address of the museum?",
    '12 Elm Row | 7 Oak Lane | 41 Mill Street | 5 Harbour Road | 88 Castle Hill | 23 Garden Close | 61 Station Road | 9 Abbey Walk',
  ]),
  theme('tuned', 'laptop', [
    'Which laptop does Ada use? | What computer does she have?',
    'My laptop is a %. | I use a % as my laptop. | My computer is a %. | My laptop is an old %.',
    'My new laptop is a %. | I got a new laptop, a %. | I replaced my laptop with a %. | I use a % as my laptop now. | My laptop is a % now. | I switched laptops: I use a % now.',
    'I have been using a % as my laptop since @. | I bought a new laptop on @, a %. | Since @ my laptop is a %.',
    `${NO} | My laptop is a %, not a #, mind you.`,
    'My colleague has a Chromebook. | A Vaio was on sale. | The laptop of my sister is a Surface. | My back hurts.',
    'ThinkPad | MacBook | Framework | Zenbook | Latitude | Swift | Pavilion | Yoga',
  ]),
  theme('tuned', 'zone', [
    'In which time zone is Ada? | What is her time zone?',
    "My time zone is %. | I'm in the % time zone. | My timezone is %. | My time zone is currently %.",
    "My new time zone is %. | My time zone changed to %. | I'm in the % time zone now. | My time zone is % now. | I switched to the % time zone. | I changed my time zone to %.",
    'Since @ my time zone is %. | I have been in the % time zone since @. | My time zone changed to % on @.',
    `${NO} | My time zone is %, not #.`,
    'The server is in the UTC time zone. | My boss is in the JST time zone. | It is late here. | What time is it there?',
    'Europe/Berlin | Asia/Tokyo | America/Lima | Africa/Cairo | Asia/Dubai | Europe/Oslo | America/Denver | Asia/Seoul',
  ]),
  theme('tuned', 'username', [
    "What is Ada's username? | Under which username is she found?",
    'My username is %. | My handle is %. | I go by the username %. | You find me under the username %.',
    'My new username is %. | I changed my username to %. | I renamed my username to %. | My username is % from now on. | My handle changed to %. | I have a new handle, %.',
    'Since @ my username is %. | I changed my username to % on @. | My handle changed to % on @.',
    `${NO} | My username is %, not #, I mistyped.`,
    'My cousin goes by the username bluebird. | I forgot a password. | The bot is called robo. | Is there a rule for usernames?',
    'adak | ada_stone | quietada | adafox | lemonade | adamantine | stonefly | rivermoth',
  ]),
  theme('opened', 'email', [
    "What is Ada's email address? | Where can one write an email to her?",
    'My email is %. | My email address is %. | You can write to me at %. | My e-mail address is %.',
    'My new email address is %. | I have a new email: %. | I changed my email address to %. | Please use % as my email from now on. | My email is now %. | New email address: %.',
    'Since @ my email address is %. | I changed my email to % on @. | My email changed to % on @.',
    `${NO} | My email is %, not #. Typo.`,
    "My sister's email is rosa@seaside.example. | Mail to help@shop.example bounced. | I got so many emails today. | What was the email of the school?",
    'ada@elm.example | ada.k@oak.example | hello@ada.example | ak@birch.example | ada@fir.example | post@ada.example | ada.kay@ash.example | me@yew.example',
  ]),
  theme('opened', 'title', [
    "What is Ada's job title? | As what does Ada work?",
    "My job title is %. | I work as a %. | I'm working as a %. | My role is %.",
    "I was promoted to %. | I got promoted, I work as a % now. | My new role is %. | I'm now working as a %. | I switched roles: my title is % now. | My job title changed to %.",
    'I became a % on @. | I have been working as a % since @. | Since @ my job title is %.',
    `${NO} | Actually my title is %, not #.`,
    'My cousin works as a plumber. | I wanted to be an astronaut. | We are hiring a recruiter. | The baker knows me.',
    'designer | data analyst | team lead | product owner | architect | site manager | tech writer | consultant',
  ]),
  theme('opened', 'band', [
    "What is Ada's favourite band? | Which band does she like best?",
    'My favourite band is %. | My favorite band is %. | % is my favourite band. | My favourite band is still %.',
    'My new favourite band is %. | My favourite band is now %. | Lately my favourite band is %. | I have a new favourite band: %. | % is my favourite band now. | My favourite band changed to %.',
    'Since @ my favourite band is %. | My favourite band has been % since @.',
    `${NO} | My favourite band is %, sorry, not #.`,
    'My son listens to Mudhoney. | We saw Calexico live. | The radio played Blur. | His favourite band is Wilco.',
    'Portishead | Radiohead | Khruangbin | Stereolab | Slowdive | Beirut | Tortoise | Pavement',
  ]),
  theme('opened', 'doctor', [
    "Who is Ada's doctor? | Which doctor does she see?",
    'My doctor is Dr. %. | My GP is Dr. %. | Dr. % is my doctor. | My doctor is called Dr. %.',
    'My new doctor is Dr. %. | I have a new doctor, Dr. %. | I switched doctors, my doctor is Dr. % now. | My doctor is now Dr. %. | I changed my doctor to Dr. %. | I see Dr. % as my doctor now.',
    'Since @ my doctor is Dr. %. | I have a new doctor since @: Dr. %. | I switched to Dr. % as my doctor on @.',
    `${NO} | I meant Dr. %, not Dr. #.`,
    "My father's doctor is Dr. Vogel. | I read a book by Dr. Lindqvist. | The vet was kind. | Is there a doctor nearby?",
    'Okafor | Brandt | Silva | Nakamura | Petrov | Haddad | Lindgren | Moreau',
  ]),
  theme('opened', 'bank', [
    'Which bank is Ada with? | Where does Ada have her bank account?',
    'My bank is %. | I bank with %. | I have my account at %. | I use % as my bank.',
    'I switched to % as my bank. | My new bank is %. | I bank with % now. | I changed banks: my bank is % now. | I moved my account to %. | I switched banks, I am with % now.',
    'Since @ my bank is %. | I have been banking with % since @. | I changed my bank to % on @.',
    `${NO} | My bank is %, not #, I mixed them up.`,
    'My wife banks with Halifax. | The ATM of Sparda ate my card. | I heard bad things about Postbank. | Banks are closed today.',
    'Monzo | Revolut | Barclays | Santander | Triodos | Starling | Nationwide | Lloyds',
  ]),
  theme('opened', 'school', [
    'Where does Ada study? | Which university does she attend?',
    "I study at %. | My university is %. | I'm studying at %. | I'm a student at %.",
    "I transferred to %. | I'm studying at % now. | My new university is %. | I changed universities: I study at % now. | I switched my university to %. | I study at % these days.",
    'I have been studying at % since @. | On @ I transferred to %. | Since @ my university is %.',
    `${NO} | I study at %, not at #, sorry.`,
    'My cousin studies at Durham. | I gave a talk at Uppsala. | My grandfather taught at Leiden. | Exams are hard.',
    'Bologna | Coimbra | Heidelberg | Salamanca | Aarhus | Groningen | Padua | Krakow',
  ]),
  theme('opened', 'gym', [
    'Which gym does Ada go to? | Where does Ada train?',
    'My gym is %. | I train at %. | I go to the gym at %. | I work out at %.',
    'My new gym is %. | I train at % now. | I changed gyms: my gym is % now. | I joined a new gym, %. | I switched my gym to %. | I work out at % from now on.',
    'Since @ I train at %. | I have been training at % since @. | I changed my gym to % on @.',
    `${NO} | My gym is %, not #.`,
    'My flatmate trains at Goliath. | The pool at Neptune is cold. | I ran ten kilometres. | Gyms are too loud.',
    'Ironworks | Pulse Studio | Boulder Barn | FitBox | Harbour Gym | Summit Hall | Cedar Sports | Mill Yard',
  ]),
];

export const SMALL_TALK: readonly string[] = [
  'What a day.',
  'The weather is dreadful again.',
  'Can you help me with a letter?',
  'Thanks, that was quick!',
  'How do I boil an egg without a pot?',
  'I had too much coffee.',
  'Please summarise this article for me.',
  'Did you see the news?',
  'I am so tired today.',
  'Let me think about it.',
  'That joke was terrible.',
  'Could you translate that into Dutch?',
];
